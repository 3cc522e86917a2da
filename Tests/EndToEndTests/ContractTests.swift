import Foundation
import Testing

/// The control protocol as a table, held against a real daemon.
@Suite("The contract of the control socket", .timeLimit(.minutes(3)))
struct ContractTests {
    /// With the bundle that the table speaks of.
    static func withDaemon(_ body: (Scene) throws -> Void) async throws {
        try await Scene.with { scene in
            try scene.writeBundle(
                "contract",
                tasks: [
                    "refresh": ["command": ["/bin/true"], "kind": "appRefresh"],
                    "clean": ["command": ["/bin/true"], "kind": "processing"],
                    "long": ["command": ["/bin/sleep", "600"], "kind": "processing"],
                ])
            try await scene.withDaemon { daemon in
                try body(scene)
                #expect(daemon.process.isRunning)
            }
        }
    }

    @Test("each exchange of the table gives exactly its replies")
    func exchanges() async throws {
        let exchanges = try Exchange.all(in: Programs.fixtures.appendingPathComponent("exchanges"))
        #expect(exchanges.count >= 170)
        #expect(Set(exchanges.map(\.title)).count == exchanges.count)
        try await Self.withDaemon { scene in
            for exchange in exchanges {
                do {
                    let problem = try exchange.problem(at: scene.socket)
                    #expect(problem == nil, "\(exchange.place) \(exchange.title): \(problem ?? "")")
                } catch {
                    Issue.record(error, "\(exchange.place) \(exchange.title)")
                }
            }
        }
        print("exchanges: \(exchanges.count) against a live daemon")
    }

    @Test("patterns of the table are told apart from what is not like them")
    func patterns() {
        let reply: JSONNode = ["id": 1, "error": ["code": 3, "data": ["kind": "a"]]]
        #expect(reply.isLike(["id": 1, "error": ["data": ["kind": "*"]]]))
        #expect(!reply.isLike(["id": 2]))
        #expect(!reply.isLike(["error": "!"]))
        #expect(!reply.isLike(["error": ["data": ["other": "*"]]]))
        #expect(reply.isLike(["result": "!"]))
        #expect(!JSONNode.array([1, 2]).isLike([1]))
    }
}
