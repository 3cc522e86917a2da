import Foundation
import Testing

/// Processes are there while they are needed (01, *Processes*; 04, *Supervision*).
@Suite("The life of plugins", .timeLimit(.minutes(2)))
struct PluginLifeTests {
    private static let rearm = "com.example.good.rearm"
    private static let quick = "com.example.zoo.quick"

    @Test("a process with nothing to do is stopped, and started again for the next launch")
    func idle() async throws {
        try await Scene.with { scene in
            let zoo = try ZooScene(scene)
            try await scene.withDaemon(options: zoo.stoppingIdle(after: "300ms")) { daemon in
                try await zoo.submit(Self.rearm)
                try await zoo.wait(for: "good", toBe: "idle")
                #expect(try await zoo.process(of: "good") == nil)
                #expect(zoo.leftProcesses(of: daemon, bundle: "good") == [])
                let gate = try await zoo.gate("launching", of: Self.rearm)
                #expect(gate["verdict"] == "open")
                #expect(gate["detail"].text?.contains("is idle") == true, "\(gate)")

                // By itself, and not by hand.
                try await zoo.submit("com.example.good.quick", isDue: true)
                #expect(try await scene.lastRun(of: "com.example.good.quick")["state"] == "succeeded")
                try await zoo.wait(for: "good", toBe: "idle")
                #expect(try await zoo.app("good")["restarts"] == 0)
                #expect(try await zoo.diagnosticNames().isDisjoint(with: ["processFailed", "processCrashed"]))
                #expect(try await zoo.isPending(Self.rearm))
            }
        }
    }

    @Test("a process that runs something is not stopped however long that takes")
    func busy() async throws {
        try await Scene.with { scene in
            let zoo = try ZooScene(scene)
            try await scene.withDaemon(options: zoo.stoppingIdle(after: "100ms")) { _ in
                let slow: JSONNode = "com.example.good.slow"
                let run = try await scene.ask("simulateLaunch", ["identifier": slow, "submit": true])["run"]
                let process = try await zoo.process(of: "good")
                try await scene.wait("it has run ten times the idle time") {
                    try await scene.ask("running")["runs"][0]["progress"]["fraction"].number ?? 0 > 20.0 / 600
                }
                #expect(try await zoo.process(of: "good") == process)
                #expect(try await scene.ask("running")["runs"][0]["run"] == run["run"])
            }
        }
    }

    @Test("reload starts the process of a changed bundle anew, and touches no other")
    func reload() async throws {
        try await Scene.with { scene in
            let zoo = try ZooScene(scene)
            try zoo.writeBundle("zoo", animal: "good", tasks: ["quick"])
            try await scene.withDaemon { daemon in
                for name in ["good", "zoo"] { try await zoo.wait(for: name, toBe: "launched") }
                let neighbour = try #require(try await zoo.process(of: "good"))
                let old = try #require(try await zoo.process(of: "zoo"))
                try await zoo.update("zoo")
                try await scene.wait("another process has launched") {
                    let app = try await zoo.app("zoo")
                    return app["state"] == "launched" && app["process"].integer != Int(old)
                }
                #expect(try await zoo.process(of: "good") == neighbour)
                #expect(zoo.leftProcesses(of: daemon, bundle: "zoo").count == 1)
                // A reload that finds nothing new changes nothing.
                let new = try await zoo.process(of: "zoo")
                try await scene.ask("reload")
                #expect(try await zoo.launch(Self.quick, submit: true)["state"] == "succeeded")
                #expect(try await zoo.process(of: "zoo") == new)
                #expect(try await zoo.process(of: "good") == neighbour)
            }
        }
    }

    @Test("a bundle that disappears keeps its pending requests until it is back (B42)")
    func disappears() async throws {
        try await Scene.with { scene in
            let zoo = try ZooScene(scene)
            try zoo.writeBundle("zoo", animal: "good", tasks: ["quick"])
            try await scene.withDaemon { daemon in
                try await zoo.wait(for: "zoo", toBe: "launched")
                try await zoo.submit(Self.quick)
                try await zoo.remove()
                try await zoo.wait(for: "zoo", toBe: "missing")
                #expect(zoo.leftProcesses(of: daemon, bundle: "zoo") == [])
                #expect(try await zoo.isPending(Self.quick))
                #expect(try await zoo.gate("appMissing", of: Self.quick)["verdict"] == "closed")
                let refused = try await scene.call("simulateLaunch", ["identifier": .string(Self.quick)])["error"]
                #expect(refused["data"]["kind"] == "appMissing")

                try zoo.writeBundle("zoo", animal: "good", tasks: ["quick"])
                try await scene.ask("reload")
                #expect(try await zoo.launch(Self.quick)["state"] == "succeeded")
            }
        }
    }

    @Test("an identifier that the manifest withdraws keeps its request under a closed gate; the others run (B42)")
    func withdraws() async throws {
        try await Scene.with { scene in
            let zoo = try ZooScene(scene)
            let gone = "com.example.zoo.gone"
            try zoo.writeBundle("zoo", animal: "good", tasks: ["quick", "gone"])
            try await scene.withDaemon { _ in
                try await zoo.wait(for: "zoo", toBe: "launched")
                try await zoo.submit(gone)
                try zoo.writeBundle("zoo", animal: "good", tasks: ["quick"])
                try await scene.ask("reload")
                try await scene.wait("it is not permitted any more") {
                    try await zoo.gate("notPermitted", of: gone)["verdict"] == "closed"
                }
                #expect(try await zoo.isPending(gone))
                #expect(try await zoo.launch(Self.quick, submit: true)["state"] == "succeeded")

                try zoo.writeBundle("zoo", animal: "good", tasks: ["quick", "gone"])
                try await scene.ask("reload")
                #expect(try await zoo.launch(gone)["state"] == "succeeded")
            }
        }
    }

    @Test("an identifier that is not registered any more closes its gate, and nothing is started for it again")
    func forgets() async throws {
        try await Scene.with { scene in
            let zoo = try ZooScene(scene)
            let lost = "com.example.zoo.lost"
            try zoo.writeBundle("zoo", animal: "does_as_its_files_say", tasks: ["quick", "lost"])
            try await scene.withDaemon(options: zoo.stoppingIdle(after: "200ms")) { _ in
                try await zoo.wait(for: "zoo", toBe: "idle")
                #expect(zoo.starts(of: "zoo") == 1)
                try scene.write(lost, to: "plugins/zoo.plugin/forgotten")
                // It is due, so its process is started, which then has no handler for it.
                try await zoo.submit(lost, isDue: true)
                try await scene.wait("its handler is found to be missing") {
                    try await zoo.diagnosticNames().contains("handlerMissing")
                }
                #expect(try await zoo.gate("handlerMissing", of: lost)["verdict"] == "closed")
                #expect(try await zoo.isPending(lost))
                try await zoo.wait(for: "zoo", toBe: "idle")
                let refused = try await scene.call("simulateLaunch", ["identifier": .string(lost)])["error"]
                #expect(refused["data"]["kind"] == "notRegistered")
                // A launch of another one finds the same, and says nothing new.
                #expect(try await zoo.launch(Self.quick, submit: true)["state"] == "succeeded")
                try await zoo.wait(for: "zoo", toBe: "idle")
                try await scene.ask("reload")
                try await Task.sleep(for: .seconds(2))
                #expect(zoo.starts(of: "zoo") == 3)
                #expect(try await zoo.isPending(lost))

                // Another bundle may have it again.
                try FileManager.default.removeItem(atPath: scene.path("plugins/zoo.plugin/forgotten"))
                try await zoo.update("zoo")
                #expect(try await scene.lastRun(of: lost)["state"] == "succeeded")
                #expect(zoo.starts(of: "zoo") == 4)
            }
        }
    }

    // MARK: - Quarantine

    /// Lets it fail until it is in quarantine; returns how often it was started for that.
    private func quarantine(_ zoo: ZooScene) async throws -> Int {
        let scene = zoo.scene
        let before = zoo.starts(of: "zoo")
        try scene.write("", to: "plugins/zoo.plugin/broken")
        while try await zoo.app("zoo")["state"] != "quarantined" {
            try #require(zoo.starts(of: "zoo") - before < 10)
            // A simulation does not wait until its backoff is over.
            let error = try await scene.call("simulateLaunch", ["identifier": .string(Self.quick)])["error"]
            #expect(error["data"]["kind"] == "launchFailed", "\(error)")
        }
        try FileManager.default.removeItem(atPath: scene.path("plugins/zoo.plugin/broken"))
        return zoo.starts(of: "zoo") - before
    }

    @Test("five failures are a quarantine, which app.resume or other files end, and neither time nor a restart")
    func quarantine() async throws {
        try await Scene.with { scene in
            let zoo = try ZooScene(scene)
            try zoo.writeBundle("zoo", animal: "does_as_its_files_say", tasks: ["quick"])
            try await scene.withDaemon(options: zoo.stoppingIdle(after: "200ms")) { daemon in
                try await zoo.wait(for: "zoo", toBe: "idle")
                try await zoo.submit(Self.quick)
                #expect(try await quarantine(zoo) == 5)
                #expect(try await zoo.diagnosticNames().isSuperset(of: ["processFailed", "quarantined"]))
                let gate = try await zoo.gate("quarantined", of: Self.quick)
                #expect(gate["verdict"] == "closed")
                #expect(gate["detail"].text?.contains("5 failures in 10 min") == true, "\(gate)")
                try await zoo.runNeighbour()
                daemon.signal(SIGTERM)
                #expect(await daemon.wait().status == 0)
            }
            try await scene.withDaemon(options: zoo.stoppingIdle(after: "200ms")) { _ in
                let starts = zoo.starts(of: "zoo")
                #expect(try await zoo.app("zoo")["state"] == "quarantined")
                try await zoo.submit(Self.quick, isDue: true)
                try await scene.ask("reload")
                try await Task.sleep(for: .seconds(1))
                #expect(zoo.starts(of: "zoo") == starts)
                #expect(try await zoo.isPending(Self.quick))

                let resumed = try await scene.control("app", "resume", "com.example.zoo")
                #expect(resumed.status == 0, "\(resumed.errors)")
                #expect(try await scene.lastRun(of: Self.quick)["state"] == "succeeded")
                #expect(zoo.starts(of: "zoo") == starts + 1)

                try await zoo.wait(for: "zoo", toBe: "idle")
                try await zoo.submit(Self.quick)
                #expect(try await quarantine(zoo) == 5)
                try await zoo.update("zoo")
                try await zoo.wait(for: "zoo", toBe: "idle")
                #expect(try await zoo.launch(Self.quick)["state"] == "succeeded")
            }
        }
    }
}
