import Foundation
import Testing

@Suite("Plugins in scripting languages, hosted by the daemon")
struct ScriptedPluginTests {
    private func launch(_ scene: Scene, _ identifier: String, submit: Bool = true) async throws -> JSONNode {
        try await scene.ask(
            "simulateLaunch",
            ["identifier": .string(identifier), "submit": .bool(submit), "wait": true, "timeoutSeconds": 15])["run"]
    }

    private func texts(_ scene: Scene, _ params: JSONNode) async throws -> [String] {
        try await scene.ask("log", params)["lines"].elements.compactMap { $0["text"].text }
    }

    @Test("the plugin in Python has less than 80 lines and imports only what Python has")
    func size() throws {
        let text = try String(
            contentsOf: Programs.examples.appendingPathComponent("plugin-python/python.plugin/bin/plugin"),
            encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 80 && lines.last == "")
        #expect(
            lines.filter { $0.contains("import ") } == [
                "import datetime, itertools, json, os, socket, sys, threading"
            ])
    }

    @Test("the plugin in Python submits itself again, shows its progress and ends when it is expired")
    func python() async throws {
        try await Scene.with { scene in
            let bundle = Programs.examples.appendingPathComponent("plugin-python")
            try await scene.withDaemon(plugins: [bundle]) { _ in
                let (refresh, index) = ("com.example.python.refresh", "com.example.python.index")
                let run = try await launch(scene, refresh)
                #expect(run["state"] == "succeeded", "\(run)")
                #expect(try await texts(scene, ["run": run["run"]]) == ["refreshed in run \(run["run"].integer ?? 0)"])
                let pending = try await scene.ask("pending")["requests"].elements
                #expect(pending.map { $0["identifier"] } == [.string(refresh)])
                #expect(try #require(pending[0]["earliestBeginDate"].date).timeIntervalSinceNow > 800)

                try await scene.ask("simulateLaunch", ["identifier": .string(index), "submit": true])
                try await scene.wait("it gets on") {
                    let running = try await scene.ask("running")["runs"][0]
                    return (running["progress"]["fraction"].number ?? 0) >= 0.01
                }
                let expired = try await scene.ask(
                    "simulateExpiration", ["identifier": .string(index), "reason": "budget", "wait": true])["run"]
                #expect(expired["state"] == "failed")
                #expect(expired["expirationReason"] == "budget")
                #expect(expired["message"].text?.hasPrefix("asked to end after ") == true, "\(expired)")
                // The process is as it was.
                #expect(try await launch(scene, refresh)["state"] == "succeeded")
            }
        }
    }

    @Test("a new bundle in Python runs at once, and ends with the daemon")
    func newPython() async throws {
        try await Scene.with { scene in
            let made = try await scene.control(
                "plugin", "new", "mail", "--language", "python", "--directory", scene.plugins.path)
            try #require(made.status == 0, "\(made.errors)")
            try await scene.withDaemon { daemon in
                let task = "com.example.mail.refresh"
                try await scene.wait("its recurrence is pending") {
                    try await scene.ask("pending")["requests"][0]["identifier"] == .string(task)
                }
                let run = try await launch(scene, task, submit: false)
                #expect(run["state"] == "succeeded", "\(run)")
                #expect(run["progress"]["title"] == "step 5 of 5")
                let said = "done in run \(run["run"].integer ?? 0) of \(task)"
                #expect(try await texts(scene, ["app": "com.example.mail"]).contains(said))
                daemon.signal(SIGTERM)
                #expect(await daemon.wait().status == 0)
            }
        }
    }
}
