import Foundation
import Testing

@Suite("The exit status and the words of runnerctl", .serialized)
struct ControlProgramTests {
    private let tasks: [String: JSONNode] = [
        "good": ["command": ["/bin/sh", "-c", "echo '{\"fraction\": 0.5}' >&3; sleep 0.6"]],
        "bad": ["command": ["/bin/false"]],
        "slow": ["command": ["/bin/sleep", "30"]],
    ]

    @Test("0 is done, 1 is a task that ended unsuccessfully, 5 is a time that was over")
    func outcomes() async throws {
        try await Scene.with { scene in
            try scene.writeBundle("app", tasks: tasks)
            try await scene.withDaemon { _ in
                #expect(try await scene.control("status").status == 0)
                let good = try await scene.control("simulate-launch", "com.example.app.good", "--submit", "--wait")
                #expect(good.status == 0)
                #expect(good.output.contains("50%"))
                #expect(good.output.contains("succeeded"))
                let bad = try await scene.control("simulate-launch", "com.example.app.bad", "--submit", "--wait")
                #expect(bad.status == 1)
                #expect(bad.output.contains("failed"))
                let slow = try await scene.control(
                    "simulate-launch", "com.example.app.slow", "--submit", "--wait", "--timeout", "200ms")
                #expect(slow.status == 5)
                #expect(slow.errors.contains("3"))
                let json = try await scene.control("--json", "history")
                #expect(json.output.filter { $0 == "\n" }.count == 1)
                #expect(json.json == (try await scene.ask("history")))
            }
        }
    }

    @Test("2 is a wrong command line, and the right one is suggested")
    func usage() async throws {
        try await Scene.with { scene in
            let command = try await scene.control("simulate-lunch", "com.example.app.good")
            #expect(command.status == 2)
            #expect(command.errors.contains("simulate-launch"))
            let option = try await scene.control("submit", "com.example.app.good", "--earlyest", "+1h")
            #expect(option.status == 2)
            #expect(option.errors.contains("--earliest"))
            let date = try await scene.control("submit", "com.example.app.good", "--earliest", "someday")
            #expect(date.status == 2)
            let help = try await scene.control("--help")
            #expect(help.status == 0)
            for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS"] { #expect(help.output.contains(section)) }
            #expect(try await scene.control("--version").output.hasPrefix("runnerctl "))
        }
    }

    @Test("3 is refused by the daemon, with its sentence")
    func refused() async throws {
        try await Scene.with { scene in
            try scene.writeBundle("app", tasks: tasks)
            try await scene.withDaemon { _ in
                let submit = try await scene.control("submit", "com.example.app.god")
                #expect(submit.status == 3)
                #expect(submit.output == "")
                #expect(submit.errors.contains("com.example.app.good"))
                let expire = try await scene.control("simulate-expiration", "com.example.app.good")
                #expect(expire.status == 3)
            }
        }
    }

    @Test("4 is no daemon: it names the socket that it tried and how to start one")
    func noDaemon() async throws {
        try await Scene.with { scene in
            let outcome = try await scene.control("status")
            #expect(outcome.status == 4)
            #expect(outcome.errors.contains(scene.socket))
            #expect(outcome.errors.contains("runnerd"))
        }
    }

    @Test("every example's manifest is found to be good, without a daemon")
    func manifests() async throws {
        try await Scene.with { scene in
            for example in ["mirror", "database", "logrotate", "demo"] {
                let path = Programs.examples.appendingPathComponent(example).path
                let outcome = try await scene.control("manifest", "check", path)
                #expect(outcome.status == 0, "\(outcome)")
                #expect(outcome.output.contains("nothing is wrong"), "\(outcome)")
            }
            try scene.writeBundle("app", tasks: ["work": ["command": ["bin/nothing"], "evry": "1h"]])
            let bad = try await scene.control("manifest", "check", scene.plugins.path)
            #expect(bad.status == 1)
            #expect(bad.output.contains("every"))
            #expect(bad.output.contains("bin/nothing"))
        }
    }
}
