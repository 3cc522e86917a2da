import Foundation
import Testing

@Suite("The README")
struct ReadmeTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The text of the first block of a language.
    private func block(_ language: String) throws -> String {
        let text = try String(contentsOf: Self.root.appendingPathComponent("README.md"), encoding: .utf8)
        let begun = try #require(text.range(of: "```\(language)\n"))
        let ended = try #require(text.range(of: "\n```", range: begun.upperBound..<text.endIndex))
        return String(text[begun.upperBound..<ended.lowerBound])
    }

    @Test("shows the quickstart as it is built and run")
    func quickstart() throws {
        let source = Self.root.appendingPathComponent("examples/quickstart/main.swift")
        let program = try String(contentsOf: source, encoding: .utf8)
        #expect(try block("swift") == program.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    @Test("shows a bundle that works as it stands")
    func bundle() async throws {
        try await Scene.with { scene in
            let folder = scene.folder.appendingPathComponent("bundles/hello.plugin")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try block("json").write(to: folder.appendingPathComponent("Info.json"), atomically: true, encoding: .utf8)
            let checked = try await scene.run(Programs.runnerctl, ["manifest", "check", folder.path])
            #expect(checked.status == 0, "\(checked)")
        }
    }
}
