import FoundationEssentials

/// A folder of scenario files that is there for one test.
final class ScenarioFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/scenarios-\(UInt64.random(in: 0...UInt64.max))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func write(_ text: String, to name: String) throws -> String {
        let file = "\(path)/\(name)"
        try Data(text.utf8).write(to: URL(filePath: file))
        return file
    }

    func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: "\(path)/\(name)")), as: UTF8.self)
    }

    /// A scenario of the repository.
    static func example(_ name: String) -> String {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return tests.deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "examples/scenarios/\(name).json").path
    }
}
