import BackgroundTasks
import Foundation
import Testing

@Suite("The surface of Apple's framework")
struct SurfaceTests {
    private static let tests = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardizedFileURL

    private static func lines(_ path: String) throws -> [String] {
        let text = try String(contentsOf: tests.appendingPathComponent(path), encoding: .utf8)
        return text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// The declarations that a file of calls says it calls, each once.
    private static func marked(_ path: String) throws -> [String] {
        try lines(path).compactMap { line in
            line.hasPrefix("// API: ") ? String(line.dropFirst("// API: ".count)) : nil
        }
    }

    @Test("each declaration is called, in Swift 6 mode here and in Swift 5 mode by BackgroundTasksSwift5Tests")
    func isCovered() throws {
        let declared = try Self.lines("Fixtures/backgroundtasks/surface.txt").filter { !$0.hasPrefix("#") }
        let called =
            try Self.marked("BackgroundTasksTests/API/Surface.swift") + Self.marked("AppleShimsTests/Scenes.swift")
        #expect(Set(declared).subtracting(called).sorted() == [])
        #expect(Set(called).subtracting(declared).sorted() == [])
        #expect(declared.count == Set(declared).count)
        #expect(called.count == Set(called).count)
    }

    @Test(
        "both modes compile the same files",
        arguments: [
            "../BackgroundTasksTests/API/Surface.swift", "../BackgroundTasksTests/API/AppCode.swift",
            "../AppleShimsTests/Scenes.swift",
        ])
    func areSameFiles(file: String) throws {
        let name = try #require(file.split(separator: "/").last)
        let link = Self.tests.appendingPathComponent("BackgroundTasksSwift5Tests/\(name)")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == file)
    }

    @Test("this is Swift 6 mode")
    func mode() {
        #if !swift(>=6)
            Issue.record("these tests must be compiled in Swift 6 mode")
        #endif
    }
}
