import Foundation
import Testing

@Suite("The README")
struct ReadmeTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The texts of all blocks of a language.
    private func blocks(_ language: String, in page: String = "README.md") throws -> [String] {
        let text = try String(contentsOf: Self.root.appendingPathComponent(page), encoding: .utf8)
        return text.components(separatedBy: "```\(language)\n").dropFirst()
            .map { $0.components(separatedBy: "\n```")[0] }
    }

    private func block(_ language: String) throws -> String {
        try #require(try blocks(language).first)
    }

    /// Without what only moves it to the right, and without empty lines.
    private func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    @Test("the article shows tests that are built and run")
    func article() throws {
        let source = Self.root.appendingPathComponent(
            "examples/testing-background-tasks/Tests/FeedAppTests/FirstTests.swift")
        let file = lines(try String(contentsOf: source, encoding: .utf8))
        let shown = try blocks("swift", in: "Sources/RunnerTesting/RunnerTesting.docc/FromTheDebuggerToSwiftTest.md")
        try #require(shown.count == 2)
        // The second block stands before the end of the type in the first one.
        #expect(lines(shown[0]).dropLast() + lines(shown[1]) + ["}"] == file)
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
