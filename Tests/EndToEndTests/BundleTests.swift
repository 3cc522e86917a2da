import Foundation
import Glibc
import Testing

@Suite("Bundles and gates of a running daemon", .serialized)
struct BundleTests {
    private func identifiers(_ scene: Scene) async throws -> [JSONNode] {
        try await scene.ask("registered")["identifiers"].elements.map { $0["identifier"] }
    }

    private func closedGates(_ scene: Scene, _ identifier: JSONNode) async throws -> [JSONNode] {
        try await scene.ask("explain", ["identifier": identifier])["gates"].elements
            .filter { $0["verdict"] == "closed" }.map { $0["gate"] }
    }

    private func says(_ word: String) -> JSONNode {
        ["command": ["/bin/echo", .string(word)]]
    }

    @Test("reload takes in a new bundle, a changed one and one that is gone, and a bad one stops no other")
    func reload() async throws {
        try await Scene.with { scene in
            try scene.writeBundle("first", tasks: ["work": says("old")])
            try await scene.withDaemon { _ in
                #expect(try await identifiers(scene) == ["com.example.first.work"])

                try scene.writeBundle("second", tasks: ["work": says("second")])
                try scene.write("{", to: "plugins/third.plugin/Info.json")
                let added = try await scene.ask("reload")
                let errors = added["findings"].elements.filter { $0["severity"] == "error" }
                #expect(errors.count == 1)
                #expect(errors.first?["message"].text?.contains("third.plugin") == true)
                #expect(try await identifiers(scene) == ["com.example.first.work", "com.example.second.work"])

                try scene.writeBundle("first", tasks: ["work": says("new"), "more": says("more")])
                try await scene.ask("reload")
                let run = try await scene.ask(
                    "simulateLaunch", ["identifier": "com.example.first.work", "submit": true, "wait": true])["run"]
                #expect(try await scene.ask("log", ["run": run["run"]])["lines"][0]["text"] == "new")

                let request: JSONNode = ["identifier": "com.example.first.more", "earliestBeginDate": .inSeconds(900)]
                try await scene.ask("submit", request)
                try FileManager.default.removeItem(atPath: scene.path("plugins/first.plugin"))
                try await scene.ask("reload")
                #expect(try await identifiers(scene) == ["com.example.second.work"])
                #expect(try await closedGates(scene, "com.example.first.more").contains("appMissing"))
                let findings = try await scene.ask("doctor")["findings"].elements
                let isNamed = findings.contains {
                    $0["identifier"] == "com.example.first.more" || $0["app"] == "com.example.first"
                }
                #expect(isNamed, "\(findings)")

                try scene.writeBundle("first", tasks: ["more": says("back")])
                try await scene.ask("reload")
                #expect(try await closedGates(scene, "com.example.first.more") == ["earliestBeginDate"])
            }
        }
    }

    @Test("SIGHUP reads the bundles again")
    func hangUp() async throws {
        try await Scene.with { scene in
            try await scene.withDaemon { daemon in
                #expect(try await identifiers(scene) == [])
                try scene.writeBundle("late", tasks: ["work": says("late")])
                daemon.signal(SIGHUP)
                try await scene.wait("the bundle is loaded") {
                    try await identifiers(scene) == ["com.example.late.work"]
                }
            }
        }
    }

    @Test("a declared recurrence is pending from the start, and again after each run")
    func recurrence() async throws {
        try await Scene.with { scene in
            try scene.writeBundle("app", tasks: ["work": ["command": ["/bin/true"], "every": "1h"]])
            try await scene.withDaemon { _ in
                let first = try await scene.ask("pending")["requests"]
                try #require(first.elements.count == 1)
                let floor = try #require(first[0]["earliestBeginDate"].date)
                #expect((50...60).contains(floor.timeIntervalSinceNow))
                let run = try await scene.ask(
                    "simulateLaunch", ["identifier": "com.example.app.work", "wait": true])["run"]
                #expect(run["state"] == "succeeded")
                let next = try await scene.ask("pending")["requests"]
                #expect(next.elements.count == 1)
                #expect(next[0]["submission"] != first[0]["submission"])
            }
        }
    }

    @Test("a pause holds what is due, and its end lets it go")
    func pause() async throws {
        try await Scene.with { scene in
            try scene.writeBundle("app", tasks: ["work": says("done")])
            try await scene.withDaemon { _ in
                #expect(try await scene.control("pause").status == 0)
                try await scene.ask("submit", ["identifier": "com.example.app.work"])
                #expect(try await closedGates(scene, "com.example.app.work") == ["paused"])
                #expect(try await scene.ask("running")["runs"] == [])
                #expect(try await scene.control("resume").status == 0)
                #expect(try await scene.lastRun(of: "com.example.app.work")["state"] == "succeeded")

                try await scene.ask("pause", ["app": "com.example.app"])
                try await scene.ask("submit", ["identifier": "com.example.app.work"])
                #expect(try await closedGates(scene, "com.example.app.work") == ["paused"])
                try await scene.ask("resume", ["app": "com.example.app"])
                _ = try await scene.lastRun(of: "com.example.app.work", since: 1)
            }
        }
    }

    @Test("without a network a request that needs one waits, and it runs when there is one")
    func network() async throws {
        try await Scene.with { scene in
            try scene.writeBundle("app", tasks: ["work": ["command": ["/bin/true"], "kind": "processing"]])
            try await scene.withDaemon { _ in
                try await scene.ask("device.override", ["condition": "network", "value": "none"])
                try await scene.ask(
                    "submit", ["identifier": "com.example.app.work", "requiresNetworkConnectivity": true])
                #expect(try await closedGates(scene, "com.example.app.work") == ["network"])
                let device = try await scene.ask("device")["state"]["network"]
                #expect(device["value"] == "none")
                #expect(device["overridden"] == true)
                let outcome = try await scene.control("device", "override", "network", "unmetered", "--for", "1m")
                #expect(outcome.status == 0)
                let run = try await scene.lastRun(of: "com.example.app.work")
                #expect(run["state"] == "succeeded")
                #expect(run["waits"].elements.contains { $0["gate"] == "network" })
                let cleared = try await scene.ask("device.clear")["state"]["network"]
                #expect(cleared["overridden"] == false)
            }
        }
    }
}
