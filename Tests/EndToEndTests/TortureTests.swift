import Foundation
import Testing

@Suite("runnerctl torture, on a live daemon")
struct TortureTests {
    private func torture(_ scene: Scene, _ identifier: String, runs: Int) async throws -> (Int32, JSONNode) {
        let outcome = try await scene.control("torture", identifier, "--runs", "\(runs)", "--json")
        return (outcome.status, outcome.json)
    }

    private func withCareless(_ body: (Scene) async throws -> Void) async throws {
        try await Scene.with { scene in
            try FileManager.default.copyItem(
                at: Programs.fixtures.appendingPathComponent("plugins/careless.plugin"),
                to: scene.plugins.appendingPathComponent("careless.plugin"))
            try await scene.withDaemon { _ in try await body(scene) }
        }
    }

    @Test("a handler that keeps all rules is left alone, however often it is expired")
    func careful() async throws {
        try await withCareless { scene in
            let (status, report) = try await torture(scene, "com.example.careless.careful", runs: 12)
            #expect(status == 0)
            #expect(report["findings"] == [])
            #expect(report["runs"] == 13)
            #expect((report["expired"].integer ?? 0) >= 6)
        }
    }

    @Test(
        "each mistake is found, with its fix and the trial that shows it again",
        arguments: [
            ("twice", "completedTwice"), ("bottom", "notRearmed"), ("forgetful", "neverCompleted"),
            ("unready", "noExpirationHandler"), ("late", "didNotFinishInGrace"), ("crashing", "crashed"),
        ])
    func mistakes(task: String, kind: String) async throws {
        try await withCareless { scene in
            let identifier = "com.example.careless.\(task)"
            let (status, report) = try await torture(scene, identifier, runs: 4)
            #expect(status == 1)
            let finding = try #require(report["findings"].elements.first { $0["kind"] == .string(kind) }, "\(report)")
            #expect(finding["fix"].text?.isEmpty == false)
            // What is printed is a whole command, and shows the same.
            let command = try #require(finding["reproduction"].text)
            #expect(command == "runnerctl torture \(identifier) --only \(finding["trial"].text ?? "")")
            let words = command.split(separator: " ").map(String.init)
            var again = try await scene.control(words.dropFirst() + ["--json"])
            // On a busy machine a run may be over before that moment.
            for _ in 0..<4 where again.json["expired"] == 0 {
                again = try await scene.control(words.dropFirst() + ["--json"])
            }
            #expect(again.status == 1)
            #expect(again.json["findings"].elements.contains { $0["kind"] == .string(kind) }, "\(again.output)")
        }
    }

    @Test("code that goes on for longer than most grace periods is waited for")
    func lingering() async throws {
        try await withCareless { scene in
            let (status, report) = try await torture(scene, "com.example.careless.lingering", runs: 2)
            #expect(status == 1)
            #expect(report["findings"].elements.map { $0["kind"] } == ["noExpirationHandler"], "\(report)")
            #expect(report["runs"] == 3)
        }
    }

    @Test("what a pattern permits can be tortured once its app has registered it on demand (B5)")
    func onDemand() async throws {
        try await withCareless { scene in
            let job = "com.example.careless.jobs.careful"
            let early = try await scene.control("torture", job, "--runs", "2")
            #expect(early.status == 3)
            #expect(early.errors.contains("for continued processing, while the app runs"), "\(early.errors)")
            let begin = try await scene.control("simulate-launch", "com.example.careless.begin", "--submit", "--wait")
            #expect(begin.status == 0)
            let (status, report) = try await torture(scene, job, runs: 4)
            #expect(status == 0, "\(report)")
            #expect(report["runs"] == 5)
            // With its process goes what was registered on demand; what was found until then is told all the same.
            let crashing = try await scene.control("torture", "com.example.careless.jobs.crashing", "--runs", "6")
            #expect(crashing.status == 1)
            #expect(crashing.output.contains("crashed, in 1 of them"), "\(crashing)")
            #expect(crashing.errors.contains("It was stopped after "), "\(crashing)")
            #expect(crashing.errors.contains(" lives: No launch handler"), "\(crashing)")
        }
    }

    @Test("a task that is over before it can be expired proves nothing")
    func overAtOnce() async throws {
        try await Scene.with { scene in
            try scene.writeBundle("app", tasks: ["quick": ["command": ["/bin/true"], "kind": "processing"]])
            try await scene.withDaemon { _ in
                let quick = try await scene.control("torture", "com.example.app.quick", "--runs", "2")
                #expect(quick.status == 1)
                #expect(quick.output.contains("expired at 0 moments in 3 lives"), "\(quick)")
                #expect(quick.errors.contains("--or-over-at-once"), "\(quick)")
                let wanted = try await scene.control(
                    "torture", "com.example.app.quick", "--runs", "2", "--or-over-at-once")
                #expect(wanted.status == 0, "\(wanted)")
            }
        }
    }

    @Test("a second completion is found although it comes when the work would have ended, long after the first")
    func again() async throws {
        try await withCareless { scene in
            let identifier = "com.example.careless.again"
            let again = try await scene.control("torture", identifier, "--only", "0:after:50000")
            #expect(again.status == 1)
            #expect(again.output.contains("completedTwice"), "\(again.output)")
        }
    }

    @Test("a command that ends when it is told to keeps all rules; one that does not is found")
    func commands() async throws {
        try await Scene.with { scene in
            try scene.writeBundle(
                "app",
                tasks: [
                    "good": ["command": ["/bin/sleep", "0.3"], "kind": "processing"],
                    "deaf": [
                        "command": ["/bin/sh", "-c", "trap '' TERM; for i in 1 2 3 4 5 6 7 8; do sleep 0.1; done"],
                        "kind": "processing", "grace": "100ms",
                    ],
                ])
            try await scene.withDaemon { _ in
                let (good, report) = try await torture(scene, "com.example.app.good", runs: 5)
                #expect(good == 0, "\(report)")
                let (deaf, findings) = try await torture(scene, "com.example.app.deaf", runs: 2)
                #expect(deaf == 1)
                #expect(findings["findings"].elements.map { $0["kind"] } == ["neverCompleted"], "\(findings)")
                #expect(findings["findings"][0]["fix"].text?.contains("SIGTERM") == true, "\(findings)")
            }
        }
    }

    @Test("what cannot be tortured is refused with a sentence")
    func refusals() async throws {
        try await Scene.with { scene in
            try await scene.withDaemon { _ in
                let unknown = try await scene.control("torture", "com.example.unknown")
                #expect(unknown.status == 3)
                #expect(unknown.errors.contains("com.example.unknown"))
                let pattern = try await scene.control("torture", "com.example.app.*")
                #expect(pattern.status == 2)
                #expect(pattern.errors.contains("com.example.app.one"), "\(pattern)")
                let wrong = try await scene.control("torture", "no identifier")
                #expect(wrong.status == 2)
                let trial = try await scene.control("torture", "com.example.a", "--only", "0:before:1")
                #expect(trial.status == 2)
                #expect(trial.errors.contains("0:after:1500"))
            }
        }
    }
}
