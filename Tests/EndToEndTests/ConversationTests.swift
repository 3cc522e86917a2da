import Foundation
import Testing

/// The conversation of docs/plugins.md, held with a real daemon.
@Suite("The conversation in docs/plugins.md")
struct ConversationTests {
    private static let refresh: JSONNode = "com.example.python.refresh"
    private static let index: JSONNode = "com.example.python.index"
    /// The page's dates: when the next refresh is asked for, and when that was.
    private static let (floor, asked) = ("2026-11-30T09:00:00.000Z", "2026-11-30T08:45:00.000Z")

    /// The lines of the page, with a date that is ahead when they are played.
    private func conversation(floor: String) throws -> [String] {
        let page = Programs.examples.appendingPathComponent("../docs/plugins.md").standardizedFileURL
        let lines = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n")
        let block = lines.drop { $0 != "```conversation" }.dropFirst().prefix { $0 != "```" }
        return block.map { $0.replacing(Self.floor, with: floor) }
    }

    /// The bundle of the example in Python, with a program that says the page's lines.
    private func writeBundle(_ scene: Scene, _ lines: [String]) throws {
        let manifest = Programs.examples.appendingPathComponent("plugin-python/python.plugin/Info.json")
        try scene.write(String(contentsOf: manifest, encoding: .utf8), to: "plugins/python.plugin/Info.json")
        let program = Programs.fixtures.appendingPathComponent("plugins/conversation/play.py")
        try scene.write(String(contentsOf: program, encoding: .utf8), to: "plugins/python.plugin/bin/plugin")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: scene.path("plugins/python.plugin/bin/plugin"))
        try scene.write(lines.joined(separator: "\n"), to: "plugins/python.plugin/conversation")
        try scene.write(#"{"idleStop": "5s"}"#, to: "runner.json")
    }

    private func state(_ scene: Scene) async throws -> JSONNode {
        try await scene.ask("apps")["apps"][0]["state"]
    }

    @Test("each line of the runner is what the daemon says there, and its lines are answered as they are written")
    func isTrue() async throws {
        try await Scene.with { scene in
            let floor = (Date.now + 900).text
            let lines = try conversation(floor: floor)
            try #require(lines.count > 20)
            try writeBundle(scene, lines)
            try await scene.withDaemon(options: ["--config", scene.path("runner.json")]) { _ in
                try await scene.wait("the plugin has launched") { try await state(scene) == "launched" }
                try await scene.ask("submit", ["identifier": Self.index])
                try await scene.wait("it has said how far it is") {
                    try await !scene.ask("running")["runs"][0]["progress"].isNull
                }
                let stopped = try await scene.ask("stop", ["identifier": Self.index, "wait": true])["run"]
                #expect(stopped["state"] == "failed", "\(stopped)")
                let refreshed = try await scene.ask(
                    "simulateLaunch", ["identifier": Self.refresh, "submit": true, "wait": true])["run"]
                #expect(refreshed["state"] == "succeeded", "\(refreshed)")
                let log = try await scene.ask("log", ["run": refreshed["run"]])["lines"].elements
                #expect(log.map { $0["text"] } == ["refreshed in run 2"])
                let pending = try await scene.ask("pending")["requests"].elements
                #expect(pending.map { $0["identifier"] } == [Self.refresh])
                try await scene.wait("it was asked to exit, and did") { try await state(scene) == "idle" }

                // When the request was handed in is all that the page cannot know.
                let submitted = pending[0]["submittedAt"].text ?? ""
                let expected = lines.filter { $0.hasPrefix("< ") }.map {
                    JSONNode(String($0.dropFirst(2)).replacing(Self.asked, with: submitted))
                }
                let heard = scene.lines("plugins/python.plugin/heard").map { String($0) }
                #expect(heard.last == "end")
                #expect(heard.count == expected.count + 1, "\(heard)")
                for (line, expected) in zip(heard, expected) { #expect(JSONNode(line) == expected) }
            }
        }
    }
}
