import Foundation
import Glibc
import Testing

@Suite("Runs of real commands", .serialized)
struct RunTests {
    /// A command that says when it is there, and then waits for its end.
    private func patient(_ scene: Scene, onTermination handler: String) -> JSONNode {
        let script = """
            trap '\(handler)' TERM
            echo $$ > '\(scene.path("pid"))'
            while :; do sleep 0.02; done
            """
        return ["/bin/sh", "-c", .string(script)]
    }

    private func launch(_ scene: Scene, _ identifier: String) async throws -> Int {
        let run = try await scene.ask("simulateLaunch", ["identifier": .string(identifier), "submit": true])["run"]
        #expect(run["state"] == "running")
        try await scene.wait("the command is there") { scene.text("pid").hasSuffix("\n") }
        return try #require(run["run"].integer)
    }

    private func isGone(_ scene: Scene) throws -> Bool {
        let pid = try #require(Int32(scene.text("pid").dropLast()))
        return kill(pid, 0) != 0
    }

    @Test("a command is told what it runs for, and its output and its exit are kept")
    func environmentAndLog() async throws {
        try await Scene.with { scene in
            let script = """
                echo "$RUNNER_TASK_IDENTIFIER $RUNNER_RUN $RUNNER_TASK_KIND $RUNNER_ORIGIN $RUNNER_ATTEMPT"
                echo "$OWN in $PWD with ${NOTIFY_SOCKET-no notifications}" >&2
                [ "$RUNNER_SOCKET" = '\(scene.socket)' ] || exit 9
                [ -n "$RUNNER_DEADLINE" ] || exit 8
                echo '{"fraction": 0.5, "title": "half"}' >&3
                exit 7
                """
            try scene.writeBundle(
                "app",
                tasks: [
                    "work": [
                        "command": ["/bin/sh", "-c", .string(script)], "kind": "processing",
                        "environment": ["OWN": "own value"], "workingDirectory": "/",
                    ]
                ])
            try await scene.withDaemon { _ in
                let identifier: JSONNode = "com.example.app.work"
                let run = try await scene.ask(
                    "simulateLaunch", ["identifier": identifier, "submit": true, "budget": true, "wait": true])["run"]
                #expect(run["state"] == "failed")
                #expect(run["exit"] == ["code": 7])
                #expect(run["progress"]["fraction"] == 0.5)
                #expect(run["progress"]["title"] == "half")
                let lines = try await scene.ask("log", ["run": run["run"]])["lines"].elements
                #expect(
                    Set(lines.map { [$0["stream"], $0["text"]] }) == [
                        ["stdout", "com.example.app.work 1 processing simulated 1"],
                        ["stderr", "own value in / with no notifications"],
                    ])
                #expect(try await scene.ask("log", ["app": "com.example.app"])["lines"].elements.count == 2)
                let shown = try await scene.control("log", "--run", "1")
                #expect(shown.output.contains("com.example.app.work 1 processing simulated 1"))
            }
        }
    }

    @Test("a command that ends when it is told to is expired, without a word against it")
    func politeExpiration() async throws {
        try await Scene.with { scene in
            try scene.writeBundle(
                "app", tasks: ["work": ["command": patient(scene, onTermination: "exit 143"), "kind": "processing"]])
            try await scene.withDaemon { _ in
                let number = try await launch(scene, "com.example.app.work")
                let run = try await scene.ask(
                    "simulateExpiration",
                    ["identifier": "com.example.app.work", "reason": "conditionLost", "wait": true])["run"]
                #expect(run["run"].integer == number)
                #expect(run["state"] == "expired")
                #expect(run["expirationReason"] == "conditionLost")
                #expect(run["exit"] == ["code": 143])
                #expect(!run["diagnostics"].elements.contains { $0["name"] == "graceEnded" })
                #expect(try isGone(scene))
            }
        }
    }

    @Test("a command that does not listen is killed at the end of the grace period, and that is noted")
    func stubbornExpiration() async throws {
        try await Scene.with { scene in
            try scene.writeBundle(
                "app",
                tasks: [
                    "work": ["command": patient(scene, onTermination: ""), "kind": "processing", "grace": "3s"]
                ])
            try await scene.withDaemon { _ in
                _ = try await launch(scene, "com.example.app.work")
                let expiring = try await scene.ask("simulateExpiration", ["identifier": "com.example.app.work"])["run"]
                #expect(expiring["state"] == "expiring")
                #expect(try await !scene.ask("running")["runs"].elements.isEmpty)
                #expect(try !isGone(scene))
                let run = try await scene.ask("wait", ["run": expiring["run"], "timeoutSeconds": 10])["run"]
                #expect(run["state"] == "expired")
                #expect(run["diagnostics"].elements.contains { $0["name"] == "graceEnded" })
                let grace = try #require(run["endedAt"].date).timeIntervalSince(try #require(run["expiredAt"].date))
                // Measured on the clock awake and told on the wall clock, both in whole milliseconds.
                #expect(grace >= 2.998)
                try await scene.wait("the process is gone") { try isGone(scene) }
                // Only then may another one come.
                try await scene.wait("the task may run again") {
                    let explained = try await scene.ask("explain", ["identifier": "com.example.app.work"])
                    return explained["status"] == "idle"
                }
            }
        }
    }

    @Test("a scheduled run ends with its budget, and a person can stop one")
    func budgetAndStop() async throws {
        try await Scene.with { scene in
            try scene.writeBundle(
                "app",
                tasks: [
                    "short": ["command": ["/bin/sleep", "30"], "budget": "1s"],
                    "long": ["command": ["/bin/sleep", "30"]],
                ])
            try await scene.withDaemon { _ in
                try await scene.ask("submit", ["identifier": "com.example.app.short"])
                try await scene.ask("submit", ["identifier": "com.example.app.long"])
                try await scene.wait("the long one runs") {
                    let runs = try await scene.ask("running")["runs"].elements
                    return runs.contains { $0["identifier"] == "com.example.app.long" && $0["state"] == "running" }
                }
                let stopped = try await scene.ask("stop", ["identifier": "com.example.app.long", "wait": true])["run"]
                #expect(stopped["state"] == "cancelled")
                #expect(stopped["expirationReason"] == "stopped")
                let expired = try await scene.lastRun(of: "com.example.app.short")
                #expect(expired["state"] == "expired")
                #expect(expired["expirationReason"] == "budget")
                #expect(expired["budgetSeconds"] == 1)
                #expect(expired["exit"] == ["signal": 15])
                let lasted = try #require(expired["expiredAt"].date).timeIntervalSince(
                    try #require(expired["startedAt"].date))
                #expect(lasted >= 0.998)
            }
        }
    }

    @Test("a program that cannot be started gives its request back, and after three attempts it is given up")
    func failedStart() async throws {
        try await Scene.with { scene in
            let interpreter = scene.path("interpreter")
            let shell = URL(fileURLWithPath: "/bin/sh").resolvingSymlinksInPath()
            try FileManager.default.copyItem(at: shell, to: URL(fileURLWithPath: interpreter))
            try scene.write("#!\(interpreter)\n", to: "plugins/app.plugin/broken")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: scene.path("plugins/app.plugin/broken"))
            try scene.writeBundle("app", tasks: ["work": ["command": ["./broken"]]])
            try await scene.withDaemon { _ in
                // It could be started when its bundle was loaded.
                try FileManager.default.removeItem(atPath: interpreter)
                let identifier: JSONNode = "com.example.app.work"
                try await scene.ask("submit", ["identifier": identifier])
                _ = try await scene.lastRun(of: "com.example.app.work")
                // It would be tried again after a backoff; a simulation does not wait for that.
                while try await scene.ask("pending")["requests"] != [] {
                    let error = try await scene.call("simulateLaunch", ["identifier": identifier])["error"]
                    #expect(error["data"]["kind"] == "launchFailed", "\(error)")
                }
                let runs = try await scene.ask("history")["runs"].elements
                #expect(runs.map { $0["attempt"] } == [3, 2, 1])
                #expect(Set(runs.map { $0["state"] }) == ["crashed"])
                #expect(Set(runs.map { $0["submission"] }).count == 1)
                for run in runs.dropLast() {
                    #expect(run["waits"].elements.contains { $0["gate"] == "backoff" }, "\(run)")
                }

                let error = try await scene.call("simulateLaunch", ["identifier": identifier, "submit": true])["error"]
                #expect(error["code"] == 19)
                #expect(error["data"]["kind"] == "launchFailed")
                #expect(error["data"]["run"]["attempt"] == 1)
                #expect(error["message"].text?.contains("broken") == true, "\(error)")
            }
        }
    }

    @Test("waiting for a run ends with the run, or with the time that was given")
    func waiting() async throws {
        try await Scene.with { scene in
            let script = "while [ ! -e '\(scene.path("release"))' ]; do sleep 0.05; done"
            try scene.writeBundle("app", tasks: ["work": ["command": ["/bin/sh", "-c", .string(script)]]])
            try await scene.withDaemon { _ in
                let run = try await scene.ask(
                    "simulateLaunch", ["identifier": "com.example.app.work", "submit": true])["run"]["run"]
                let error = try await scene.call("wait", ["run": run, "timeoutSeconds": 0.1])["error"]
                #expect(error["code"] == 24)
                #expect(error["data"]["kind"] == "timedOut")
                #expect(error["data"]["run"]["state"] == "running")
                try scene.write("", to: "release")
                let ended = try await scene.ask("wait", ["run": run])["run"]
                #expect(ended["state"] == "succeeded")
                // Asked again, it is answered at once.
                #expect(try await scene.ask("wait", ["run": run])["run"] == ended)
            }
        }
    }
}
