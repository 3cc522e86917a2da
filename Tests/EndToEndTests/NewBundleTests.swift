import Foundation
import Testing

@Suite("New bundles, as runnerctl makes them")
struct NewBundleTests {
    /// Makes a bundle in the scene's plugin folder, and checks what was made.
    private func make(_ scene: Scene, language: String) async throws {
        let made = try await scene.control(
            "plugin", "new", "mail", "--language", language, "--directory", scene.plugins.path)
        try #require(made.status == 0, "\(made.errors)")
        let check = try await scene.control("manifest", "check", scene.plugins.path)
        #expect(check.status == 0)
        #expect(check.output.hasSuffix("nothing is wrong (com.example.mail).\n"), "\(check.output)")
    }

    @Test("a bundle in the shell runs at once, shows its progress, and ends well when it is expired")
    func shell() async throws {
        try await Scene.with { scene in
            try await make(scene, language: "shell")
            try await scene.withDaemon { _ in
                let task: JSONNode = "com.example.mail.refresh"
                #expect(try await scene.ask("pending")["requests"][0]["identifier"] == task)
                let run = try await scene.ask("simulateLaunch", ["identifier": task, "wait": true])["run"]
                #expect(run["state"] == "succeeded")
                #expect(run["progress"]["title"] == "step 5 of 5")
                let lines = try await scene.ask("log", ["run": run["run"]])["lines"].elements
                #expect(lines.map { $0["text"] } == ["done in run 1 of com.example.mail.refresh"])

                // Over one connection, since it ends by itself in half a second.
                let wire = try Wire(scene.socket)
                let words = #""identifier": "com.example.mail.refresh""#
                try #require(wire.ask("simulateLaunch", "{\(words), \"submit\": true}")["error"].isNull)
                // Before that it has not said what it does at the end.
                while try wire.ask("running")["result"]["runs"][0]["progress"].isNull {}
                let expired = try wire.ask("simulateExpiration", "{\(words), \"wait\": true}")["result"]["run"]
                #expect(expired["state"] == "expired")
                #expect(expired["exit"] == ["code": 143])
            }
        }
    }

    @Test("without a package that can be found, a Swift bundle needs to be told where Runner is")
    func package() async throws {
        try await Scene.with { scene in
            // Copied by a program of its own: what another test starts meanwhile would hold the copy open for writing.
            let copied = try await scene.run(
                URL(fileURLWithPath: "/bin/cp"), [Programs.runnerctl.path, scene.path("runnerctl")])
            #expect(copied.status == 0, "\(copied.errors)")
            let arguments = ["plugin", "new", "mail", "--language", "swift", "--directory", scene.folder.path]
            let alone = try await scene.run(URL(fileURLWithPath: scene.path("runnerctl")), arguments)
            #expect(alone.status == 2)
            #expect(alone.errors.contains("name its folder or git repository with --package."))
            #expect(!scene.exists("mail"))

            // The one in the build folder finds the checkout around it.
            let made = try await scene.run(Programs.runnerctl, arguments)
            #expect(made.status == 0, "\(made.errors)")
            let checkout = Programs.examples.deletingLastPathComponent().path
            #expect(scene.text("mail/Package.swift").contains("path: \"\(checkout)\""))
        }
    }
}
