import Foundation
import Testing

@Suite("The rest of the command line, with real daemons", .serialized)
struct CommandLineTests {
    private let tasks: [String: JSONNode] = [
        "good": ["command": ["/bin/true"]], "bad": ["command": ["/bin/bash", "-c", "exit 3"]],
        "often": ["command": ["/bin/true"], "every": "1h"],
    ]

    @Test("a daemon's recording, lived through again, is the same; changed by hand it is not")
    func replay() async throws {
        try await Scene.with { scene in
            try scene.writeBundle("app", tasks: tasks)
            for part in ["first", "second"] {
                // The second starts from what the first has left.
                try await scene.withDaemon(options: ["--record", scene.path(part)]) { daemon in
                    for name in ["good", "bad"] {
                        let submitted = try await scene.ask(
                            "submit", ["identifier": .string("com.example.app.\(name)")])
                        #expect(submitted["outcome"] == "submitted")
                        _ = try await scene.lastRun(of: "com.example.app.\(name)")
                    }
                    try await scene.ask(
                        "submit", ["identifier": "com.example.app.good", "earliestBeginDate": .inSeconds(3600)])
                    try await scene.ask("device.override", ["condition": "network", "value": "none"])
                    try await scene.ask("simulateLaunch", ["identifier": "com.example.app.good", "wait": true])
                    try await scene.ask("reload")
                    daemon.signal(part == "first" ? SIGTERM : SIGKILL)
                    _ = await daemon.wait()
                }
                let same = try await scene.control("replay", scene.path(part), "--json")
                #expect(same.status == 0, "\(same)")
                #expect(same.json["same"] == true)
                #expect((same.json["events"].integer ?? 0) > 10)
                #expect((same.json["runs"].integer ?? 0) >= 3)
            }
            let changed = scene.text("first").replacingOccurrences(
                of: #""state":"succeeded""#, with: #""state":"failed""#)
            try scene.write(changed, to: "changed")
            let different = try await scene.control("replay", scene.path("changed"))
            #expect(different.status == 1, "\(different)")
            #expect(different.output.contains("from the recording."))
            #expect(try await scene.control("replay", scene.path("plugins/app.plugin/Info.json")).status == 2)
        }
    }

    @Test("the sockets that can be found are listed, with who answers and what the caller may do")
    func sockets() async throws {
        try await Scene.with { scene in
            try await scene.withDaemon { daemon in
                let found = try await scene.control("sockets", "--json")
                #expect(found.status == 0)
                let socket = found.json["sockets"][0]
                #expect(socket["socket"].text == scene.socket)
                #expect(socket["answers"] == true)
                #expect(socket["pid"].integer == Int(daemon.process.processIdentifier))
                #expect(socket["access"] == "admin")
                // One whose process does not run: it accepts nothing, and nobody waits for it for ever.
                daemon.signal(SIGSTOP)
                let stopped = try await scene.control("sockets", "--json")
                daemon.signal(SIGCONT)
                #expect(stopped.json["sockets"][0]["answers"] == false)
                #expect(stopped.json["sockets"][0]["reason"].text?.contains("in time") == true, "\(stopped)")
            }
            let none = try await scene.control("sockets")
            #expect(none.status == 4)
            #expect(none.output.contains(scene.socket))
        }
    }

    @Test(
        "output that cannot be written is one sentence and the status 1, and whoever listens without answering is none")
    func trouble() async throws {
        try await Scene.with { scene in
            try await scene.withDaemon { daemon in
                for command in ["status", "--help", "history --json", "events --follow"] {
                    let full = try await scene.run(
                        Programs.bash, ["-c", #""$0" $1 >/dev/full"#, Programs.runnerctl.path, command],
                        environment: ["RUNNER_SOCKET": scene.socket])
                    #expect(full.status == 1, "\(command): \(full)")
                    #expect(full.errors.hasPrefix("runnerctl: The output could not be written: "), "\(full)")
                    #expect(full.errors.filter { $0 == "\n" }.count == 1, "\(full)")
                }
                let stop = try await scene.control("stop", "--json")
                #expect(stop.status == 2)
                let tolerance = try await scene.call("submit", ["identifier": "a", "toleranceSeconds": 5])
                #expect(tolerance["error"]["data"]["member"] == "toleranceSeconds")
                daemon.signal(SIGSTOP)
                let began = ContinuousClock.now
                let stopped = try await scene.control("wait", "1")
                daemon.signal(SIGCONT)
                #expect(stopped.status == 4, "\(stopped)")
                #expect(stopped.errors.hasPrefix("runnerctl: Somebody listens there and does not answer in time"))
                #expect(ContinuousClock.now - began < .seconds(15))
            }
        }
    }

    @Test("the history is summed up by task and by hour")
    func summary() async throws {
        try await Scene.with { scene in
            try scene.writeBundle("app", tasks: tasks)
            try await scene.withDaemon { _ in
                for name in ["good", "bad"] {
                    try await scene.ask("submit", ["identifier": .string("com.example.app.\(name)")])
                    _ = try await scene.lastRun(of: "com.example.app.\(name)")
                }
                try await scene.ask(
                    "simulateLaunch", ["identifier": "com.example.app.good", "submit": true, "wait": true])
                let summary = try await scene.control("history", "--summary", "--json")
                #expect(summary.status == 0, "\(summary)")
                #expect(summary.json["runs"] == 3)
                let tasks = summary.json["tasks"].elements
                #expect(tasks.map { $0["identifier"] } == ["com.example.app.bad", "com.example.app.good"])
                #expect(tasks.map { $0["grants"] } == [1, 1])
                #expect(tasks.map { $0["failed"] } == [1, 0])
                #expect(tasks.map { $0["simulated"] } == [0, 1])
                let hours = summary.json["hours"].elements.compactMap { $0["grants"].integer }
                #expect(hours.reduce(0, +) == 2)
                let table = try await scene.control("history", "--summary", "--limit", "2")
                #expect(table.output.hasPrefix("Looked at 2 runs, "), "\(table)")
                #expect(table.output.contains("there are older ones"))
            }
        }
    }

    @Test("idle tasks are one finding, a task without a command is told once, and explain counts what comes again")
    func findings() async throws {
        try await Scene.with { scene in
            try scene.write(
                """
                {"CFBundleIdentifier": "com.example.app", "UIBackgroundModes": ["fetch"],
                 "BGTaskSchedulerPermittedIdentifiers":
                    ["com.example.app.good", "com.example.app.other", "com.example.app.lost"],
                 "RunnerTasks": {"com.example.app.good": {"command": ["/bin/true"]},
                                 "com.example.app.other": {"command": ["/bin/true"]}}}
                """, to: "plugins/app.plugin/Info.json")
            try await scene.withDaemon { _ in
                let findings = try await scene.ask("doctor")["findings"].elements
                let idle = findings.filter { $0["name"] == "nothingPending" }
                #expect(idle.count == 1, "\(findings)")
                #expect(idle.first?["message"].text?.contains("com.example.app.good, com.example.app.other") == true)
                let lost = findings.filter { $0["message"].text?.contains("com.example.app.lost") == true }
                #expect(lost.map { $0["name"] } == ["noHandler"], "\(findings)")
                #expect(!findings.contains { $0["name"] == "neverRegistered" })

                for hour in 1...5 {
                    try await scene.ask(
                        "submit",
                        [
                            "identifier": "com.example.app.good",
                            "earliestBeginDate": .inSeconds(Double(hour) * 3_600),
                        ])
                }
                let explained = try await scene.ask("explain", ["identifier": "com.example.app.good"])["diagnostics"]
                #expect(explained.elements.map { $0["name"] } == ["postponed"], "\(explained)")
                #expect((explained[0]["count"].integer ?? 0) > 1, "\(explained)")
                let text = try await scene.control("explain", "com.example.app.good")
                #expect(
                    text.output.contains("postponed (\(explained[0]["count"].integer ?? 0) times, last "), "\(text)")
            }
        }
    }
}
