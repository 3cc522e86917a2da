import Foundation
import Glibc
import Testing

@Suite("Logs that are followed", .serialized)
struct FollowedLogTests {
    private static let app = "com.example.restless"

    /// A bundle whose process says its number and fails, whenever it is started.
    private func writeRestless(_ scene: Scene) throws {
        let manifest = """
            {
                "CFBundleIdentifier": "\(Self.app)",
                "BGTaskSchedulerPermittedIdentifiers": ["\(Self.app).work"],
                "UIBackgroundModes": ["fetch"],
                "RunnerPlugin": {"executable": "bin/plugin"},
                "RunnerTasks": {"\(Self.app).work": {"kind": "appRefresh"}}
            }
            """
        try scene.write(manifest, to: "plugins/restless.plugin/Info.json")
        try scene.write("#!/bin/sh\necho begun $$\nexit 3\n", to: "plugins/restless.plugin/bin/plugin")
        chmod(scene.path("plugins/restless.plugin/bin/plugin"), 0o755)
    }

    private func texts(_ follow: Command) -> [String] {
        follow.outputLinesSoFar.compactMap { JSONNode(String($0))["text"].text }
    }

    @Test("what a run writes is shown as it comes, and the command ends when the run has ended")
    func run() async throws {
        try await Scene.with { scene in
            let script = """
                echo first
                while [ ! -e \(scene.path("go")) ]; do sleep 0.05; done
                echo second >&2
                echo third
                """
            try scene.writeBundle("app", tasks: ["work": ["command": ["/bin/sh", "-c", .string(script)]]])
            try await scene.withDaemon { _ in
                try await scene.ask("simulateLaunch", ["identifier": "com.example.app.work", "submit": true])
                let follow = try scene.startControl("log", "--run", "1", "--follow", "--json")
                try await scene.wait("the first line is shown: \(follow.errorsSoFar)") { texts(follow) == ["first"] }
                #expect(follow.process.isRunning)
                try scene.write("", to: "go")
                #expect(await follow.wait().status == 0)
                #expect(Set(texts(follow)) == ["first", "second", "third"] && texts(follow).count == 3)
                // One that has ended already is shown, and that is all.
                let again = try await scene.control("log", "--run", "1", "--follow")
                #expect(again.status == 0)
                #expect(again.output.split(separator: "\n").count == 3)
            }
        }
    }

    @Test("what an app writes outside of its runs is shown as it comes, also over a restart of the daemon")
    func app() async throws {
        try await Scene.with { scene in
            try writeRestless(scene)
            let daemon = try scene.startDaemon()
            try await scene.waitUntilListening(daemon)
            let follow = try scene.startControl("log", "--app", Self.app, "--follow", "--json")
            try await scene.wait("its process was started again: \(follow.errorsSoFar)") { texts(follow).count >= 2 }

            let apps = try await scene.ask("apps")["apps"].elements
            #expect(apps.first?["failure"].text?.contains("status 3") == true)
            let findings = try await scene.ask("doctor")["findings"].elements
            #expect(findings.contains { $0["name"] == "processFailed" && $0["app"].text == Self.app })
            let table = try await scene.control("apps")
            #expect(table.output.contains("failed \(Self.app): it exited with status 3"), "\(table.output)")

            daemon.signal(SIGKILL)
            _ = await daemon.wait()
            let before = texts(follow).count
            try await scene.withDaemon { _ in
                try await scene.wait("lines of the next life are shown: \(follow.errorsSoFar)") {
                    texts(follow).count > before
                }
                follow.signal(SIGINT)
                #expect(await follow.wait().status == 0)
                let shown = texts(follow)
                let kept = try await scene.ask("log", ["app": .string(Self.app)])["lines"].elements
                #expect(Array(kept.compactMap { $0["text"].text }.prefix(shown.count)) == shown)
                #expect(Set(shown).count == shown.count)
            }
        }
    }
}
