import Foundation
import Glibc
import Testing

/// A scene with an animal of the zoo, and a neighbour that does everything right.
struct ZooScene {
    static let task = "com.example.zoo.run"
    static let neighbour = "com.example.good.quick"

    let scene: Scene

    /// Writes the neighbour's bundle only.
    init(_ scene: Scene) throws {
        self.scene = scene
        try writeBundle("good", animal: "good", tasks: ["quick", "slow", "rearm", "breath"])
    }

    /// Lets the animal in.
    func admit(_ animal: ZooAnimal, otherRun: JSONNode = 0) async throws {
        try writeBundle("zoo", animal: animal.name, tasks: ["run"], limits: animal.limits)
        try scene.write("\(otherRun.integer ?? 0)", to: "plugins/zoo.plugin/other-run")
        try await scene.ask("reload")
    }

    /// Takes its bundle away.
    func remove() async throws {
        try FileManager.default.removeItem(atPath: scene.path("plugins/zoo.plugin"))
        try await scene.ask("reload")
    }

    func writeBundle(
        _ name: String, animal: String, tasks: [String], limits: JSONNode = [:], user: JSONNode = .null
    ) throws {
        let program = try String(
            contentsOf: Programs.fixtures.appendingPathComponent("plugins/zoo/zoo.py"), encoding: .utf8)
        try scene.write(program, to: "plugins/\(name).plugin/bin/plugin")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: scene.path("plugins/\(name).plugin/bin/plugin"))
        var plugin: [String: JSONNode] = ["executable": "bin/plugin", "arguments": [.string(animal)]]
        if !user.isNull { plugin["user"] = user }
        let manifest: JSONNode = [
            "CFBundleIdentifier": .string("com.example.\(name)"),
            "BGTaskSchedulerPermittedIdentifiers": .array(
                tasks.map { .string("com.example.\(name).\($0)") }),
            "UIBackgroundModes": ["processing"],
            "RunnerPlugin": .object(plugin),
            "RunnerLimits": limits,
        ]
        try scene.write(
            String(decoding: try JSONEncoder().encode(manifest), as: UTF8.self),
            to: "plugins/\(name).plugin/Info.json")
    }

    // MARK: - Runs

    /// Runs a task of the neighbour, which takes no notice of what goes on beside it.
    @discardableResult
    func runNeighbour(_ task: String = "quick") async throws -> JSONNode {
        let began = ContinuousClock.now
        let run = try await scene.ask(
            "simulateLaunch",
            [
                "identifier": .string("com.example.good.\(task)"), "submit": true, "wait": true,
                "timeoutSeconds": 19,
            ])[
                "run"]
        #expect(run["state"] == "succeeded", "the neighbour: \(run)")
        #expect(ContinuousClock.now - began < .seconds(20))
        return run
    }

    /// Gives the animal its run, and waits for what must become of it.
    func run(_ animal: ZooAnimal) async throws -> JSONNode {
        let params: JSONNode = ["identifier": .string(Self.task), "submit": true]
        switch animal.outcome {
        case .isNotEntered:
            let error = try await scene.call("simulateLaunch", params)["error"]
            let kind = error["data"]["kind"].text ?? ""
            #expect(["launchFailed", "notRegistered"].contains(kind), "\(error)")
            return error
        case .ends(let state, let exit):
            let launched = try await scene.ask("simulateLaunch", params)["run"]
            let run = try await ended(launched["run"])
            #expect(run["state"] == .string(state), "\(run)")
            if !exit.isNull { #expect(run["exit"] == exit, "\(run)") }
            return run
        case .mustBeExpired:
            try await scene.ask("simulateLaunch", params)
            let run = try await scene.ask(
                "simulateExpiration",
                ["identifier": .string(Self.task), "reason": "budget", "wait": true, "timeoutSeconds": 20])[
                    "run"]
            #expect(run["state"] == "expired", "\(run)")
            #expect(run["expirationReason"] == "budget", "\(run)")
            return run
        }
    }

    private func ended(_ run: JSONNode) async throws -> JSONNode {
        try await scene.ask("wait", ["run": run, "timeoutSeconds": 20])["run"]
    }

    // MARK: - What is said

    /// The names of all diagnostics so far.
    func diagnosticNames() async throws -> Set<String> {
        Set(
            try await events().filter { $0["type"] == "diagnostic" }.compactMap {
                $0["data"]["name"].text
            })
    }

    /// All that a person could read of an app: its events and its log.
    func everythingSaid() async throws -> String {
        var texts = try await events().map { "\($0["data"])" }
        var after: JSONNode?
        repeat {
            var params: [String: JSONNode] = ["app": "com.example.zoo", "limit": 1_000]
            if let after { params["after"] = after }
            let page = try await scene.ask("log", .object(params))
            texts += page["lines"].elements.compactMap { $0["text"].text }
            after = page["next"].isNull ? nil : page["next"]
        } while after != nil
        return texts.joined(separator: "\n")
    }

    private func events() async throws -> [JSONNode] {
        let outcome = try await scene.control("events", "--json")
        try #require(outcome.status == 0, "\(outcome.errors)")
        return outcome.output.split(separator: "\n").map { JSONNode(String($0)) }
    }

    // MARK: - What is left

    func descriptors(of daemon: Command) throws -> Int {
        try FileManager.default.contentsOfDirectory(
            atPath: "/proc/\(daemon.process.processIdentifier)/fd"
        ).count
    }

    /// Bytes of memory that the daemon has in use.
    func memory(of daemon: Command) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(daemon.process.processIdentifier)/status", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
        return try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }) << 10
    }

    /// The processes that were started from a bundle here, and the daemon's children that nobody has reaped.
    func leftProcesses(of daemon: Command, bundle: String) -> [String] {
        let parent = daemon.process.processIdentifier
        return ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).filter { name in
            guard Int32(name) != nil,
                let status = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8)
            else { return false }
            let fields = status.drop { $0 != ")" }.split(separator: " ")
            let isZombie = fields[1] == "Z" && fields[2] == "\(parent)"
            let words = (try? String(contentsOfFile: "/proc/\(name)/cmdline", encoding: .utf8)) ?? ""
            return isZombie || words.contains(scene.path("plugins/\(bundle).plugin/"))
        }
    }
}
