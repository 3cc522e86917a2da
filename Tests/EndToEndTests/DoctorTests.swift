import Foundation
import Testing

/// What the real doctor finds of real plugins, each thing with its app or identifier and a fix.
@Suite("doctor, of plugins that do one thing wrong")
struct DoctorTests {
    private static let sick = "com.example.zoo.run"

    /// What is found of the plugins; what the machine lacks is of no interest here.
    private func findings(_ scene: Scene) async throws -> [JSONNode] {
        let all = try await scene.ask("doctor")["findings"].elements
        for finding in all { #expect(finding["fix"].text?.isEmpty == false, "\(finding)") }
        return all.filter { "\($0)".contains("com.example.") }
    }

    private func expect(
        _ scene: Scene, _ name: String, of identifier: String? = nil, says words: String, fix: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let all = try await findings(scene)
        let finding = all.first { $0["name"] == .string(name) }
        let found = try #require(finding, "\(name): \(all)", sourceLocation: sourceLocation)
        #expect(found["app"] == "com.example.zoo", sourceLocation: sourceLocation)
        #expect(found["identifier"].text == identifier, sourceLocation: sourceLocation)
        #expect(found["message"].text?.contains(words) == true, "\(found)", sourceLocation: sourceLocation)
        #expect(found["fix"].text?.contains(fix) == true, "\(found)", sourceLocation: sourceLocation)
    }

    /// Runs a test beside a neighbour of whom nothing is to be found.
    private func with(_ body: (ZooScene) async throws -> Void) async throws {
        try await Scene.with { scene in
            let zoo = try ZooScene(scene)
            try zoo.writeBundle("good", animal: "good", tasks: ["rearm"])
            try await scene.withDaemon { _ in
                _ = try await zoo.launch("com.example.good.rearm", submit: true)
                let before = try await findings(scene)
                #expect(before == [])
                try await body(zoo)
                let after = try await findings(scene)
                #expect(!after.contains { $0["app"] == "com.example.good" }, "\(after)")
            }
        }
    }

    @Test("an identifier that is permitted and not registered, and one that was registered by a wrong name")
    func registrations() async throws {
        try await with { zoo in
            let scene = zoo.scene
            try zoo.writeBundle("zoo", animal: "does_as_its_files_say", tasks: ["run", "walk"])
            try scene.write("com.example.zoo.walk", to: "plugins/zoo.plugin/forgotten")
            try await scene.ask("reload")
            try await zoo.wait(for: "zoo", toBe: "launched")
            try await expect(
                scene, "neverRegistered", of: "com.example.zoo.walk", says: "no handler is registered",
                fix: "Register a handler")

            try zoo.writeBundle("zoo", animal: "registers_others", tasks: ["run"])
            try await scene.ask("reload")
            try await scene.wait("the new process has registered") {
                try await findings(scene).contains { $0["name"] == "registrationRefused" }
            }
            let refused = try await findings(scene).filter { $0["name"] == "registrationRefused" }
            #expect(refused.map { $0["app"] } == ["com.example.zoo", "com.example.zoo"])
            let words = refused.map { "\($0["message"].text ?? "") \($0["fix"].text ?? "")" }
            #expect(words.contains { $0.contains("com.example.good.quick") }, "\(words)")
            #expect(words.contains { $0.contains("Register \(Self.sick), or permit com.example.zoo.rnu") }, "\(words)")
        }
    }

    @Test("a handler without a request and without a recurrence, and a run after which nothing is pending")
    func requests() async throws {
        try await with { zoo in
            try zoo.writeBundle("zoo", animal: "completes_twice", tasks: ["run"])
            try await zoo.scene.ask("reload")
            try await zoo.wait(for: "zoo", toBe: "launched")
            try await expect(
                zoo.scene, "nothingPending", of: Self.sick, says: "nothing is pending", fix: "Submit a request")
            let run = try await zoo.launch(Self.sick, submit: true)["run"].integer ?? 0
            try await expect(
                zoo.scene, "willNotRunAgain", of: Self.sick, says: "Run \(run) ended as succeeded",
                fix: "first thing in the handler")
            let names = try await findings(zoo.scene).map { $0["name"] }
            #expect(!names.contains("nothingPending"))
        }
    }

    @Test("a handler that does not end in its grace period")
    func late() async throws {
        try await with { zoo in
            try zoo.writeBundle("zoo", animal: "ignores_expiration", tasks: ["run"])
            try await zoo.scene.ask("reload")
            try await zoo.scene.ask("simulateLaunch", ["identifier": .string(Self.sick), "submit": true])
            let run = try await zoo.scene.ask(
                "simulateExpiration", ["identifier": .string(Self.sick), "wait": true, "timeoutSeconds": 15])["run"]
            #expect(run["state"] == "expired")
            try await expect(
                zoo.scene, "completesLate", of: Self.sick, says: "went on after its grace period",
                fix: "runnerctl log --run \(run["run"].integer ?? 0)")
        }
    }

    @Test("a mode that a handler needs and the manifest lacks, and one that no handler needs")
    func modes() async throws {
        try await with { zoo in
            let scene = zoo.scene
            func write(modes: String) throws {
                let path = "plugins/zoo.plugin/Info.json"
                try zoo.writeBundle("zoo", animal: "good", tasks: ["run"])
                try scene.write(scene.text(path).replacing(#"["processing"]"#, with: modes), to: path)
            }
            try write(modes: #"["fetch"]"#)
            try await scene.ask("reload")
            try await zoo.wait(for: "zoo", toBe: "launched")
            try await expect(
                scene, "modeMismatch", of: Self.sick, says: "registered as processing", fix: "Add “processing”")
            try write(modes: #"["processing", "fetch"]"#)
            try await scene.ask("reload")
            try await scene.wait("the new manifest is in force") {
                try await findings(scene).contains { $0["name"] == "modeMismatch" && $0["identifier"].isNull }
            }
            try await expect(scene, "modeMismatch", says: "“fetch” is declared", fix: "Take it out")
        }
    }

    @Test("a process that fails and waits to be started again, and an app in quarantine")
    func failures() async throws {
        try await with { zoo in
            try zoo.writeBundle("zoo", animal: "exits_at_once", tasks: ["run"])
            try await zoo.scene.ask("reload")
            // Not while it is being started again.
            try await zoo.scene.wait("it has failed, and waits") {
                try await findings(zoo.scene).contains {
                    $0["name"] == "processFailed" && $0["app"] == "com.example.zoo"
                        && $0["message"].text?.contains("It is started again in") == true
                        && $0["fix"].text?.contains("runnerctl log --app com.example.zoo") == true
                }
            }
            // A simulation does not wait until its backoff is over.
            for _ in 1...4 { _ = try await zoo.scene.call("simulateLaunch", ["identifier": .string(Self.sick)]) }
            try await zoo.wait(for: "zoo", toBe: "quarantined")
            try await expect(
                zoo.scene, "quarantined", says: "5 failures", fix: "runnerctl app resume com.example.zoo")
        }
    }
}
