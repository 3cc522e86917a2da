import Glibc
import Platform
import Testing

@Suite("Lines of a file")
struct FileLinesTests {
    private let folder = TemporaryFolder()

    private func lines(_ text: String) throws -> (lines: [String], isCutOff: Bool) {
        folder.write(text, to: "file")
        var file = try FileLines(folder.file("file"))
        var lines: [String] = []
        while let line = try file.next() { lines.append(String(decoding: line, as: UTF8.self)) }
        return (lines, file.isCutOff)
    }

    @Test("each line comes without its end, and what has none is no line")
    func ends() throws {
        #expect(try lines("a\n\nbc\n").lines == ["a", "", "bc"])
        #expect(try !lines("a\n").isCutOff)
        let cut = try lines("a\nbc")
        #expect(cut.lines == ["a"])
        #expect(cut.isCutOff)
        #expect(try lines("").lines == [])
        #expect(try !lines("").isCutOff)
    }

    @Test("lines are whole whatever the pieces in which they are read", arguments: [65_535, 65_536, 65_537, 200_000])
    func pieces(length: Int) throws {
        let long = String(repeating: "x", count: length)
        #expect(try lines("first\n\(long)\nlast\n").lines == ["first", long, "last"])
    }

    @Test("a file that is not there, and a folder, are plain errors")
    func unreadable() throws {
        let missing = #expect(throws: SystemError.self) { _ = try FileLines(folder.file("missing")) }
        #expect(missing?.code == ENOENT)
        let error = #expect(throws: SystemError.self) {
            var file = try FileLines(folder.path)
            _ = try file.next()
        }
        #expect(error?.code == EISDIR)
        #expect(error?.path == folder.path)
    }
}
