import Foundation
import Testing

/// Through its channel a plugin reaches the requests and runs of its own app, and no others (B3).
@Suite("What a plugin can reach")
struct PluginReachTests {
    /// What the plugin was answered, by what it had asked.
    private func replies(_ scene: Scene, _ run: JSONNode) async throws -> [String: JSONNode] {
        let lines = try await scene.ask("log", ["run": run["run"]])["lines"].elements.compactMap { $0["text"].text }
        let pairs = lines.compactMap { line -> (String, JSONNode)? in
            guard let colon = line.firstRange(of: ": ") else { return nil }
            return (String(line[..<colon.lowerBound]), JSONNode(String(line[colon.upperBound...])))
        }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    @Test("neither a run of another app that goes on, nor its requests")
    func others() async throws {
        try await Scene.with { scene in
            let zoo = try ZooScene(scene)
            try await scene.withDaemon { _ in
                let (slow, rearm) = ("com.example.good.slow", "com.example.good.rearm")
                try await zoo.runNeighbour("rearm")
                let request = try await scene.ask("pending", ["app": "com.example.good"])["requests"]
                #expect(request.elements.map { $0["identifier"] } == [.string(rearm)])
                let running = try await scene.ask(
                    "simulateLaunch", ["identifier": .string(slow), "submit": true])["run"]

                let animal = ZooAnimal(name: "reaches_for_others", outcome: .ends("succeeded"))
                try await zoo.admit(animal, otherRun: running["run"])
                let replies = try await replies(scene, zoo.run(animal))
                for refused in ["complete", "pending of it", "cancelAll of it"] {
                    let kind = try #require(replies[refused])["error"]["data"]["kind"]
                    #expect(kind == "notPermitted", "\(refused): \(replies[refused] ?? .null)")
                }
                #expect(replies["submit"]?["result"]["outcome"] == "submitted")
                #expect(replies["cancel"]?["result"]["cancelled"] == false, "\(replies["cancel"] ?? .null)")
                #expect(replies["pending by name"]?["result"]["requests"] == [])
                let seen = try #require(replies["pending"])["result"]["requests"].elements
                #expect(seen.map { $0["identifier"] } == [.string(ZooScene.task)])
                #expect(replies["cancelAll"]?["result"]["cancelled"] == 1)

                #expect(try await zoo.diagnosticNames().contains("foreignRun"))
                let still = try await scene.ask("run", ["run": running["run"]])["run"]
                #expect(still["state"] == "running", "\(still)")
                #expect(still["progress"]["title"].text?.hasPrefix("step ") == true, "\(still)")
                let lines = try await scene.ask("log", ["run": running["run"]])["lines"].elements
                #expect(!lines.contains { $0["text"] == "from another" })
                #expect(try await scene.ask("pending", ["app": "com.example.good"])["requests"] == request)

                let ended = try await scene.ask("simulateExpiration", ["identifier": .string(slow), "wait": true])[
                    "run"]
                #expect(ended["message"].text?.hasPrefix("asked to end at step ") == true, "\(ended)")
            }
        }
    }
}
