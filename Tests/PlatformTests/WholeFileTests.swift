import FoundationEssentials
import Glibc
import Testing

@testable import Platform

@Suite("Whole files")
struct WholeFileTests {
    private let path = FileManager.default.temporaryDirectory.path + "/whole-\(UInt64.random(in: 0...UInt64.max))"

    @Test("what is written can be read, and is written over what was there")
    func roundTrip() throws {
        defer { unlink(path) }
        try WholeFile.write(String(repeating: "a", count: 300_000), to: path)
        try WholeFile.write("ü\0b", to: path)
        #expect(try WholeFile.read(path, limit: 4) == Array("ü\0b".utf8))
    }

    @Test("a file that is larger than the limit is not read")
    func limit() throws {
        defer { unlink(path) }
        try WholeFile.write("12345", to: path)
        #expect(
            throws: SystemError(code: EFBIG, operation: "read", path: path, explanation: "it is larger than 4 bytes")
        ) {
            try WholeFile.read(path, limit: 4)
        }
        #expect(throws: SystemError.self) { try WholeFile.read("/dev/zero", limit: 1 << 20) }
    }

    @Test("a pipe is read to its end")
    func pipe() throws {
        var ends: [Int32] = [0, 0]
        #expect(Glibc.pipe(&ends) == 0)
        #expect(Glibc.write(ends[1], "abc", 3) == 3)
        close(ends[1])
        defer { close(ends[0]) }
        #expect(try WholeFile.read("/dev/fd/\(ends[0])", limit: 10) == Array("abc".utf8))
    }

    @Test("what cannot be read or written is an error with its path")
    func errors() {
        #expect(throws: SystemError(code: ENOENT, operation: "read", path: path)) { try WholeFile.read(path, limit: 1) }
        #expect(throws: SystemError(code: EISDIR, operation: "read", path: "/")) { try WholeFile.read("/", limit: 1) }
        #expect(throws: SystemError(code: EISDIR, operation: "write", path: "/")) { try WholeFile.write("", to: "/") }
        #expect(throws: SystemError(code: ENOSPC, operation: "write", path: "/dev/full")) {
            try WholeFile.write("a", to: "/dev/full")
        }
    }
}
