import Foundation
import Glibc
import Testing

/// Programs that import BackgroundTasks and do what ends an app on iOS, in the daemon.
@Suite("Programmers' errors of hosted programs", .timeLimit(.minutes(2)))
struct HostedMisuseTests {
    private static let app = "com.example.misuse"

    /// Runs a body with a daemon that hosts the program.
    private func host(
        _ word: String, environment: [String: String] = [:], _ body: (Scene) async throws -> Void
    ) async throws {
        try await Scene.with { scene in
            let file = URL(fileURLWithPath: scene.path("plugins/misuse.plugin/bin/misuse-app"))
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.linkItem(at: Programs.folder.appendingPathComponent("misuse-app"), to: file)
            let manifest: [String: any Sendable] = [
                "CFBundleIdentifier": Self.app, "BGTaskSchedulerPermittedIdentifiers": ["\(Self.app).\(word)"],
                "UIBackgroundModes": ["fetch", "processing"],
                "RunnerPlugin": ["executable": "bin/misuse-app", "arguments": [word]] as [String: any Sendable],
            ]
            let data = try PropertyListSerialization.data(fromPropertyList: manifest, format: .xml, options: 0)
            try data.write(to: URL(fileURLWithPath: scene.path("plugins/misuse.plugin/Info.plist")))
            try await scene.withDaemon(environment: environment) { _ in try await body(scene) }
        }
    }

    private func log(_ scene: Scene) async throws -> [String] {
        try await scene.ask("log", ["app": .string(Self.app)])["lines"].elements.compactMap { $0["text"].text }
    }

    @Test(
        "end their process, and what Apple's framework says is kept with what to change",
        arguments: [
            ("twice", "Launch handler for task with identifier com.example.misuse.twice has already been registered"),
            ("unregistered", "No launch handler registered for task with identifier com.example.misuse.unregistered"),
            ("late", "All launch handlers must be registered before application finishes launching"),
        ])
    func misuse(word: String, wording: String) async throws {
        try await host(word) { scene in
            try await scene.wait("it has said what is wrong") { try await log(scene).contains(wording) }
            try await scene.wait("its explanation is there") {
                try await log(scene).contains { $0.hasPrefix("BackgroundTasks: ") && $0.contains("main.swift:") }
            }
            try await scene.wait("its end is known") {
                let events = try await scene.control("events", "--json").output
                return events.split(separator: "\n").contains { line in
                    line.contains("\"diagnostic\"") && line.contains("it died of signal 6")
                }
            }
        }
    }

    @Test("a launch whose kind nobody can know is refused, and what was submitted before says it (B32)")
    func kinds() async throws {
        try await host("clean") { scene in
            let task = "\(Self.app).clean"
            let refused = try await scene.control("simulate-launch", task, "--submit", "--wait", "--json")
            #expect(refused.status != 0)
            #expect(refused.errors.contains("submit a request with its kind first"), "\(refused)")
            #expect(try await scene.control("submit", task, "--kind", "processing", "--earliest", "+1h").status == 0)
            for _ in 0..<2 {
                let run = try await scene.control("simulate-launch", task, "--submit", "--wait", "--json")
                #expect(run.json["run"]["state"] == "succeeded", "\(run)")
                #expect(run.json["run"]["kind"] == "processing")
            }
        }
    }

    @Test("the daemon says which iOS is imitated", arguments: [nil, "ios18"])
    func compatibility(imitated: String?) async throws {
        let environment = imitated.map { ["RUNNER_COMPAT": $0] } ?? [:]
        try await host("clean", environment: environment) { scene in
            try await scene.wait("it has said what it imitates") {
                try await log(scene).contains("imitates \(imitated ?? "nothing")")
            }
        }
    }
}
