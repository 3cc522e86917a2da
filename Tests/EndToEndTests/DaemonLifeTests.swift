import Foundation
import Glibc
import Testing

@Suite("The life of a daemon", .serialized)
struct DaemonLifeTests {
    @Test("it says what it is and what is wrong with its command line")
    func commandLine() async throws {
        try await Scene.with { scene in
            #expect(try await scene.run(Programs.runnerd, ["--version"]).output.hasPrefix("runnerd "))
            let help = try await scene.run(Programs.runnerd, ["--help"])
            #expect(help.status == 0)
            for section in ["NAME", "SYNOPSIS", "OPTIONS", "SIGNALS", "FILES", "EXIT STATUS"] {
                #expect(help.output.contains(section))
            }
            let wrong = try await scene.run(Programs.runnerd, ["--sockets", "x"])
            #expect(wrong.status == 2)
            #expect(wrong.errors.contains("--socket"))
            let missing = try await scene.run(Programs.runnerd, ["--config", scene.path("none.json")])
            #expect(missing.status == 1)
            #expect(missing.errors.contains("none.json"))
        }
    }

    @Test("its file is read, its options beat it, and a wrong key is named with its fix")
    func configuration() async throws {
        try await Scene.with { scene in
            try scene.writeBundle("app", tasks: ["work": ["command": ["/bin/true"]]])
            try scene.write("{\"simulation\": false, // for production\n\"limits\": \"apple\"}", to: "runner.json")
            try await scene.withDaemon(options: ["--config", scene.path("runner.json")]) { _ in
                let status = try await scene.ask("status")
                #expect(status["simulation"] == false)
                #expect(status["limits"] == "apple")
                let launch: JSONNode = ["identifier": "com.example.app.work", "submit": true]
                #expect(try await scene.call("simulateLaunch", launch)["error"]["data"]["kind"] == "simulationDisabled")
            }
            try scene.write("{\"simulatoin\": false}", to: "runner.json")
            let daemon = try scene.startDaemon(options: ["--config", scene.path("runner.json")])
            let outcome = await daemon.wait()
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("simulation"))
        }
    }

    @Test("SIGTERM lets the runs finish and ends with 0, and nothing new is accepted meanwhile")
    func drain() async throws {
        try await Scene.with { scene in
            let script = "while [ ! -e '\(scene.path("release"))' ]; do sleep 0.05; done"
            try scene.writeBundle(
                "app",
                tasks: ["work": ["command": ["/bin/sh", "-c", .string(script)]], "other": ["command": ["/bin/true"]]])
            try await scene.withDaemon { daemon in
                try await scene.ask("simulateLaunch", ["identifier": "com.example.app.work", "submit": true])
                daemon.signal(SIGTERM)
                try await scene.wait("the daemon drains") { try await scene.ask("status")["phase"] == "draining" }
                let launch: JSONNode = ["identifier": "com.example.app.other", "submit": true]
                #expect(try await scene.call("simulateLaunch", launch)["error"]["data"]["kind"] == "draining")
                try scene.write("", to: "release")
                #expect(await daemon.wait().status == 0)
            }
            #expect(!scene.exists("control.sock"))
            try await scene.withDaemon { _ in
                let runs = try await scene.ask("history")["runs"]
                #expect(runs.elements.map { $0["state"] } == ["succeeded"])
                #expect(try await scene.ask("status")["recovered"] == .null)
            }
        }
    }

    @Test("a second SIGTERM expires what still runs")
    func hurry() async throws {
        try await Scene.with { scene in
            try scene.writeBundle("app", tasks: ["work": ["command": ["/bin/sleep", "60"]]])
            try await scene.withDaemon { daemon in
                try await scene.ask("simulateLaunch", ["identifier": "com.example.app.work", "submit": true])
                daemon.signal(SIGTERM)
                try await scene.wait("the daemon drains") { try await scene.ask("status")["phase"] == "draining" }
                let start = ContinuousClock.now
                daemon.signal(SIGTERM)
                #expect(await daemon.wait().status == 0)
                #expect(ContinuousClock.now - start < .seconds(8))
            }
            try await scene.withDaemon { _ in
                let run = try await scene.ask("history")["runs"][0]
                #expect(run["state"] == "expired")
                #expect(run["expirationReason"] == "draining")
            }
        }
    }

    @Test("a second daemon on the same state says who holds it, and ends; the first is not harmed")
    func secondDaemon() async throws {
        try await Scene.with { scene in
            try await scene.withDaemon { daemon in
                let second = try Command(
                    Programs.runnerd,
                    ["--foreground", "--state", scene.state.path, "--socket", scene.path("second.sock")],
                    keepingOutputIn: scene.folder)
                let outcome = await second.wait()
                #expect(outcome.status == 1)
                #expect(outcome.errors.contains("\(daemon.process.processIdentifier)"))
                #expect(!scene.exists("second.sock"))
                #expect(try await scene.ask("status")["pid"].integer == Int(daemon.process.processIdentifier))
            }
        }
    }

    @Test("a daemon that cannot start leaves no socket behind")
    func failedStart() async throws {
        try await Scene.with { scene in
            let daemon = try Command(
                Programs.runnerd,
                [
                    "--foreground", "--state", scene.state.path, "--socket", scene.socket, "--plugins",
                    scene.plugins.path, "--record", scene.path("nowhere/recording"),
                ], keepingOutputIn: scene.folder)
            let outcome = await daemon.wait()
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("nowhere/recording"))
            #expect(!scene.exists("control.sock"))
        }
    }

    @Test("a socket that is in use is not taken over, whatever the state folder")
    func liveSocket() async throws {
        try await Scene.with { scene in
            try await scene.withDaemon { daemon in
                let second = try Command(
                    Programs.runnerd,
                    ["--foreground", "--state", scene.path("other-state"), "--socket", scene.socket],
                    keepingOutputIn: scene.folder)
                let outcome = await second.wait()
                #expect(outcome.status == 1)
                #expect(outcome.errors.contains(scene.socket))
                #expect(try await scene.ask("status")["pid"].integer == Int(daemon.process.processIdentifier))
            }
        }
    }

    @Test("after kill -9 every request is there, the run that was in flight was interrupted, and its children block it")
    func killAndRestart() async throws {
        try await Scene.with { scene in
            // The child lives as long as nobody lets it go.
            let child = "while [ ! -e '\(scene.path("release"))' ]; do sleep 0.05; done"
            let script = "(\(child)) & echo $! > '\(scene.path("child"))'; wait"
            try scene.writeBundle(
                "app",
                tasks: [
                    "family": ["command": ["/bin/bash", "-c", .string(script)]],
                    "waiting": ["command": ["/bin/true"]],
                ])
            var pending = JSONNode.null
            try await scene.withDaemon { daemon in
                try await scene.ask(
                    "submit", ["identifier": "com.example.app.waiting", "earliestBeginDate": .inSeconds(3600)])
                try await scene.ask("simulateLaunch", ["identifier": "com.example.app.family", "submit": true])
                try await scene.wait("the child is there") { scene.text("child").hasSuffix("\n") }
                try await scene.ask("submit", ["identifier": "com.example.app.family"])
                pending = try await scene.ask("pending")
                daemon.signal(SIGKILL)
                #expect(await daemon.wait().status == -SIGKILL)
            }
            try await scene.withDaemon { _ in
                #expect(try await scene.ask("status")["recovered"] == "crash")
                let identifiers = { (list: JSONNode) in
                    list["requests"].elements.compactMap { $0["identifier"].text }.sorted()
                }
                #expect(identifiers(try await scene.ask("pending")) == identifiers(pending))
                let interrupted = try await scene.ask("history", ["identifier": "com.example.app.family"])["runs"][0]
                #expect(interrupted["state"] == "interrupted")
                let gates = try await scene.ask("explain", ["identifier": "com.example.app.family"])["gates"].elements
                let blocked = gates.first { $0["gate"] == "alreadyRunning" }
                #expect(blocked?["verdict"] == "closed")
                #expect(blocked?["source"] == "leftover process")
                // It runs by itself as soon as the child is gone.
                try scene.write("", to: "release")
                let run = try await scene.lastRun(
                    of: "com.example.app.family", since: try #require(interrupted["run"].integer))
                #expect(run["state"] == "succeeded")
            }
        }
    }

    @Test("a command that ignores every signal it can dies with a daemon that is killed")
    func commandsDieWithTheDaemon() async throws {
        try await Scene.with { scene in
            let process = scene.path("process")
            let script = "trap '' HUP INT TERM PIPE; echo $$ > '\(process)'; while :; do sleep 0.05; done"
            try scene.writeBundle("app", tasks: ["stubborn": ["command": ["/bin/bash", "-c", .string(script)]]])
            try await scene.withDaemon { daemon in
                try await scene.ask("simulateLaunch", ["identifier": "com.example.app.stubborn", "submit": true])
                try await scene.wait("it runs") { scene.text("process").hasSuffix("\n") }
                let number = try #require(Int32(scene.text("process").dropLast()))
                // One that has ended and waits to be reaped has no words any more.
                let words = "/proc/\(number)/cmdline"
                let lives = { (try? String(contentsOfFile: words, encoding: .utf8))?.isEmpty == false }
                #expect(lives())
                daemon.signal(SIGKILL)
                #expect(await daemon.wait().status == -SIGKILL)
                try await scene.wait("it is gone") { !lives() }
            }
        }
    }

    @Test("whoever starts the daemon may ignore its own children: those of the daemon are reaped all the same")
    func childrenAreReaped() async throws {
        try await Scene.with { scene in
            try scene.writeBundle("app", tasks: ["seven": ["command": ["/bin/sh", "-c", "exit 7"]]])
            let starter = ["/bin/bash", "-c", "trap '' CHLD; exec \"$@\"", "bash"]
            try await scene.withDaemon(by: starter) { _ in
                let identifier = "com.example.app.seven"
                _ = try await scene.control("simulate-launch", identifier, "--submit", "--wait")
                let history = try await scene.ask("history", ["identifier": .string(identifier)])
                #expect(history["runs"].elements.map { $0["exit"] } == [["code": 7]], "\(history)")
            }
        }
    }
}
