import Foundation
import Glibc
import Testing

/// Plugins that crash, hang, flood and lie hurt nobody but themselves, and the runner says what happened (04, *Supervision*).
@Suite("A zoo of bad plugins", .timeLimit(.minutes(3)))
struct PluginZooTests {
    @Test("a bad plugin's run ends as it must, and nobody else is touched", arguments: ZooAnimal.all)
    func animals(animal: ZooAnimal) async throws {
        try await Scene.with { scene in
            let zoo = try ZooScene(scene)
            try await scene.withDaemon { daemon in
                // From here on the neighbour's process is there.
                let first = try await zoo.runNeighbour()
                let descriptors = try zoo.descriptors(of: daemon)
                try await zoo.admit(animal, otherRun: first["run"])

                let result = try await zoo.run(animal)
                try await zoo.runNeighbour()

                let names = try await zoo.diagnosticNames()
                for name in animal.diagnostics {
                    #expect(names.contains(name), "\(name) is not among \(names)")
                }
                let said = try await zoo.everythingSaid() + "\(result)"
                for words in animal.words { #expect(said.contains(words), "\(words)") }
                // What others did to the neighbour's finished run, or submitted for it, changed nothing.
                #expect(try await scene.ask("run", ["run": first["run"]])["run"] == first)
                #expect(try await scene.ask("pending", ["app": "com.example.good"])["requests"] == [])

                try await zoo.remove()
                try await scene.wait("no process is left: \(zoo.leftProcesses(of: daemon, bundle: "zoo"))") {
                    zoo.leftProcesses(of: daemon, bundle: "zoo").isEmpty
                }
                try await scene.wait("all descriptors are given back") {
                    try zoo.descriptors(of: daemon) <= descriptors
                }
                try await zoo.runNeighbour()
                daemon.signal(SIGTERM)
                #expect(await daemon.wait().status == 0)
                #expect(zoo.leftProcesses(of: daemon, bundle: "good") == [])
            }
        }
    }

    @Test(
        "the neighbour runs while another floods the runner",
        arguments: ["floods_its_output", "floods_the_log"])
    func besideFlood(name: String) async throws {
        try await Scene.with { scene in
            let zoo = try ZooScene(scene)
            try await scene.withDaemon { _ in
                try await zoo.runNeighbour()
                try await zoo.admit(ZooAnimal(name: name, outcome: .ends("succeeded")))
                try await scene.ask(
                    "simulateLaunch", ["identifier": .string(ZooScene.task), "submit": true])
                var times: [Duration] = []
                for _ in 0..<5 {
                    let began = ContinuousClock.now
                    try await zoo.runNeighbour()
                    times.append(ContinuousClock.now - began)
                }
                #expect(try #require(times.max()) < .seconds(10), "\(times)")
            }
        }
    }

    @Test("messages of very many lines count as so many lines, and whoever sends them is slowed")
    func manyLines() async throws {
        try await Scene.with { scene in
            let animal = ZooAnimal(name: "floods_with_lines", outcome: .ends("succeeded"))
            let zoo = try ZooScene(scene)
            try await scene.withDaemon { _ in
                try await zoo.admit(animal)
                let began = ContinuousClock.now
                _ = try await zoo.run(animal)
                // Six messages of 8,192 lines, of which each is the share of a second.
                #expect(ContinuousClock.now - began > .seconds(3))
            }
        }
    }

    @Test("a plugin that submits again and again and never reads is ended with that reason, and little is held for it")
    func neverReads() async throws {
        try await Scene.with { scene in
            let animal = ZooAnimal(name: "never_reads", outcome: .ends("crashed"))
            let zoo = try ZooScene(scene)
            try await scene.withDaemon { daemon in
                try await zoo.runNeighbour()
                try await zoo.admit(animal)
                let before = try zoo.memory(of: daemon)
                let began = ContinuousClock.now
                let run = try await scene.ask(
                    "simulateLaunch", ["identifier": .string(ZooScene.task), "submit": true])["run"]["run"]
                var most = before
                var record = JSONNode.null
                while record["endedAt"].isNull, ContinuousClock.now - began < .seconds(100) {
                    try await Task.sleep(for: .milliseconds(500))
                    most = max(most, try zoo.memory(of: daemon))
                    record = try await scene.ask("run", ["run": run])["run"]
                }
                #expect(record["state"] == "crashed", "\(record)")
                #expect(record["message"].text?.contains("did not read what it was sent") == true, "\(record)")
                #expect(ContinuousClock.now - began > .seconds(30))
                // 1 MiB waits, and buffers double when they grow.
                #expect(most - before < 8 << 20, "it grew by \((most - before) >> 10) KiB")
                try await zoo.runNeighbour()
            }
        }
    }

    @Test("a plugin that ignores every order to exit is killed, and the daemon ends without it")
    func stubborn() async throws {
        try await Scene.with { scene in
            let animal = ZooAnimal(name: "ignores_everything", outcome: .ends("succeeded"))
            let zoo = try ZooScene(scene)
            try await scene.withDaemon { daemon in
                try await zoo.admit(animal)
                _ = try await zoo.run(animal)
                let began = ContinuousClock.now
                daemon.signal(SIGTERM)
                #expect(await daemon.wait().status == 0)
                #expect(ContinuousClock.now - began < .seconds(15))
                #expect(zoo.leftProcesses(of: daemon, bundle: "zoo") == [])
            }
        }
    }

    @Test("a process that completes and exits in one breath has completed, 300 times")
    func oneBreath() async throws {
        try await Scene.with { scene in
            let zoo = try ZooScene(scene)
            try await scene.withDaemon { daemon in
                // One connection: a process for each round would use up the descriptors of the tests.
                let wire = try Wire(scene.socket)
                let launch = #"{"identifier": "com.example.good.breath", "submit": true, "wait": true}"#
                var longest = Duration.zero
                for round in 0..<300 {
                    let began = ContinuousClock.now
                    let run = try wire.ask("simulateLaunch", launch)["result"]["run"]
                    longest = max(longest, ContinuousClock.now - began)
                    try #require(run["state"] == "succeeded", "round \(round): \(run)")
                    try #require(
                        run["diagnostics"].elements.allSatisfy { $0["name"] == "willNotRunAgain" },
                        "round \(round): \(run)")
                }
                // Without a backoff, however often a launch met the end of the process before.
                #expect(longest < .seconds(8), "\(longest)")
                try await scene.wait("no process is left over") {
                    zoo.leftProcesses(of: daemon, bundle: "good").count <= 1
                }
            }
        }
    }

    @Test("a good plugin shows its progress, submits itself again, and ends in its grace period")
    func good() async throws {
        try await Scene.with { scene in
            let zoo = try ZooScene(scene)
            try await scene.withDaemon { _ in
                try await zoo.runNeighbour("rearm")
                let pending = try await scene.ask("pending", ["app": "com.example.good"])["requests"]
                #expect(pending.elements.map { $0["identifier"] } == ["com.example.good.rearm"])

                let slow: JSONNode = "com.example.good.slow"
                try await scene.ask("simulateLaunch", ["identifier": slow, "submit": true])
                var fraction = 0.0
                try await scene.wait("it gets on") {
                    let running = try await scene.ask("running")["runs"].elements.first {
                        $0["identifier"] == slow
                    }
                    fraction = running?["progress"]["fraction"].number ?? 0
                    return fraction > 0.005
                }
                let run = try await scene.ask("simulateExpiration", ["identifier": slow, "wait": true])[
                    "run"]
                #expect(run["state"] == "failed")
                #expect(run["message"].text?.hasPrefix("asked to end at step ") == true, "\(run)")
                #expect(run["expirationReason"] == "simulated")
                #expect(!run["diagnostics"].elements.contains { $0["name"] == "graceEnded" })
            }
        }
    }
}
