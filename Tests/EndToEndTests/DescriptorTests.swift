import Foundation
import Glibc
import Testing

@Suite("Descriptors of the daemon", .timeLimit(.minutes(2)))
struct DescriptorTests {
    private func descriptors(of daemon: Command) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(daemon.process.processIdentifier)/fd").count
    }

    /// Seconds of CPU time that it has used.
    private func processorTime(of daemon: Command) throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(daemon.process.processIdentifier)/stat", encoding: .utf8)
        let fields = text.drop { $0 != ")" }.split(separator: " ")
        let ticks = try #require(Double(fields[12])) + #require(Double(fields[13]))
        return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    @Test("a thousand clients that come and go leave as many descriptors as there were")
    func comeAndGo() async throws {
        try await Scene.with { scene in
            try await scene.withDaemon { daemon in
                _ = try Wire(scene.socket).ask("history")
                let before = try descriptors(of: daemon)
                for round in 0..<1_000 {
                    let wire = try Wire(scene.socket)
                    switch round % 4 {
                    case 0: _ = try wire.ask("hello")
                    // Its answer is still on its way.
                    case 1: try wire.send(line: #"{"jsonrpc":"2.0","id":1,"method":"history"}"#)
                    case 2: try wire.send(Array(#"{"jsonrpc":"#.utf8))
                    default: break
                    }
                    wire.close()
                }
                try await scene.wait("all descriptors are given back") { try descriptors(of: daemon) <= before }
                #expect(try Wire(scene.socket).ask("hello")["result"]["protocol"] == 1)
            }
        }
    }

    @Test("runs that have ended leave as many descriptors as there were")
    func runs() async throws {
        try await Scene.with { scene in
            try scene.writeBundle("app", tasks: ["end": ["command": ["/bin/sh", "-c", "sleep 1000 & echo ended"]]])
            try await scene.withDaemon { daemon in
                let launch = { () async throws in
                    let params: JSONNode = ["identifier": "com.example.app.end", "submit": true, "wait": true]
                    #expect(try await scene.ask("simulateLaunch", params)["run"]["state"] == "succeeded")
                }
                try await launch()
                let before = try descriptors(of: daemon)
                for _ in 0..<10 { try await launch() }
                try await scene.wait("all descriptors are given back") { try descriptors(of: daemon) <= before }
            }
        }
    }

    @Test("runs of a plugin that write into their logs leave as many descriptors as there were")
    func pluginRuns() async throws {
        try await Scene.with { scene in
            let bundle = Programs.examples.appendingPathComponent("plugin-python")
            try await scene.withDaemon(plugins: [bundle]) { daemon in
                let launch = { () async throws in
                    let params: JSONNode = ["identifier": "com.example.python.refresh", "submit": true, "wait": true]
                    let run = try await scene.ask("simulateLaunch", params)["run"]
                    #expect(run["state"] == "succeeded")
                    #expect(try await scene.ask("log", ["run": run["run"]])["lines"].elements.count == 1)
                }
                try await launch()
                let before = try descriptors(of: daemon)
                for _ in 0..<10 { try await launch() }
                try await scene.wait("all descriptors are given back") { try descriptors(of: daemon) <= before }
            }
        }
    }

    @Test("a command that cannot be started for want of descriptors is a finding, until one can")
    func starved() async throws {
        try await Scene.with { scene in
            try scene.writeBundle("app", tasks: ["good": ["command": ["/bin/true"]]])
            let daemon = try Command(
                Programs.bash,
                [
                    "-c", #"ulimit -n 40; exec "$0" "$@""#, Programs.runnerd.path, "--foreground", "--state",
                    scene.state.path, "--socket", scene.socket, "--plugins", scene.plugins.path,
                ], keepingOutputIn: scene.folder)
            defer { daemon.signal(SIGKILL) }
            try await scene.waitUntilListening(daemon)
            let wire = try Wire(scene.socket)
            let finding = { () throws in
                try wire.ask("doctor")["result"]["findings"].elements.first { $0["name"] == "resourcesExhausted" }
            }
            let launch = #"{"identifier":"com.example.app.good","submit":true,"wait":true}"#
            #expect(try wire.ask("simulateLaunch", launch)["result"]["run"]["state"] == "succeeded")
            #expect(try finding() == nil)

            let others = try (0..<60).map { _ in try Wire(scene.socket) }
            try await scene.wait("all descriptors are used up") { try descriptors(of: daemon) >= 40 }
            #expect(try wire.ask("simulateLaunch", launch)["error"]["data"]["kind"] == "launchFailed")
            let found = try #require(try finding())
            #expect(found["severity"] == "error")
            #expect(found["fix"].text?.contains("LimitNOFILE=") == true)

            for other in others { other.close() }
            try await scene.wait("descriptors are given back") { try descriptors(of: daemon) < 30 }
            #expect(try wire.ask("simulateLaunch", launch)["result"]["run"]["state"] == "succeeded")
            #expect(try finding() == nil)
        }
    }

    @Test("a plugin that cannot be started for want of descriptors is innocent, and runs as soon as there are some")
    func starvedPlugin() async throws {
        try await Scene.with { scene in
            _ = try ZooScene(scene)
            let daemon = try Command(
                Programs.bash,
                [
                    "-c", #"ulimit -n 40; exec "$0" "$@""#, Programs.runnerd.path, "--foreground", "--state",
                    scene.state.path, "--socket", scene.socket, "--plugins", scene.plugins.path,
                ], keepingOutputIn: scene.folder)
            defer { daemon.signal(SIGKILL) }
            try await scene.waitUntilListening(daemon)
            let wire = try Wire(scene.socket)
            let app = { () throws in try wire.ask("apps")["result"]["apps"][0] }
            // It exits when it has completed.
            let launch = #"{"identifier":"com.example.good.breath","submit":true,"wait":true}"#
            #expect(try wire.ask("simulateLaunch", launch)["result"]["run"]["state"] == "succeeded")
            try await scene.wait("its process is gone") { try app()["state"] == "idle" }

            let others = try (0..<60).map { _ in try Wire(scene.socket) }
            try await scene.wait("all descriptors are used up") { try descriptors(of: daemon) >= 40 }
            for _ in 0..<8 {
                let error = try wire.ask("simulateLaunch", launch)["error"]
                #expect(error["data"]["kind"] == "launchFailed", "\(error)")
            }
            #expect(try app()["state"] != "quarantined")
            let events = try wire.ask("doctor")["result"]["findings"].elements
            #expect(events.contains { $0["name"] == "resourcesExhausted" })
            #expect(!events.contains { $0["name"] == "processFailed" })

            for other in others { other.close() }
            try await scene.wait("descriptors are given back") { try descriptors(of: daemon) < 30 }
            #expect(try wire.ask("simulateLaunch", launch)["result"]["run"]["state"] == "succeeded")
            let said = try await scene.control("events", "--json").output
            #expect(said.contains("resourcesExhausted") && said.contains("LimitNOFILE="), "\(said)")
        }
    }

    @Test("without descriptors accepting pauses and goes on later; nothing spins, nothing dies, others are served")
    func exhaustion() async throws {
        try await Scene.with { scene in
            let daemon = try Command(
                Programs.bash,
                [
                    "-c", #"ulimit -n 40; exec "$0" "$@""#, Programs.runnerd.path, "--foreground", "--state",
                    scene.state.path, "--socket", scene.socket, "--plugins", scene.plugins.path,
                ], keepingOutputIn: scene.folder)
            defer { daemon.signal(SIGKILL) }
            try await scene.waitUntilListening(daemon)
            var wires = try (0..<60).map { _ in try Wire(scene.socket) }
            for wire in wires { try wire.send(line: #"{"jsonrpc":"2.0","id":1,"method":"hello"}"#) }
            #expect(try wires[0].receive()["result"]["protocol"] == 1)
            try await scene.wait("all descriptors are used up") { try descriptors(of: daemon) >= 40 }

            let before = try processorTime(of: daemon)
            let began = ContinuousClock.now
            while ContinuousClock.now - began < .seconds(2) {
                #expect(try wires[0].ask("status")["result"]["phase"] == "running")
                try await Task.sleep(for: .milliseconds(200))
            }
            // It tries again twice a second, and answers one client.
            #expect(try processorTime(of: daemon) - before < 0.2)
            #expect(try wires[0].ask("history")["result"]["runs"] == [])

            // Each that goes lets one in that waited.
            wires.removeFirst().close()
            while !wires.isEmpty {
                let wire = wires.removeFirst()
                #expect(try wire.receive()["result"]["protocol"] == 1)
                wire.close()
            }
            try await scene.wait("the daemon is as before") { try descriptors(of: daemon) < 40 }
            #expect(try Wire(scene.socket).ask("hello")["result"]["protocol"] == 1)
            #expect(daemon.process.isRunning)
        }
    }
}
