import RPC
import Testing

@testable import Runner

@Suite("The level that each method needs")
struct MethodAccessTests {
    /// 03, *Methods*.
    private static let levels: [AccessLevel: Set<String>] = [
        .read: [
            "rpc.discover", "hello", "status", "apps", "registered", "pending", "running", "wait", "run", "history",
            "explain", "doctor", "device", "device.history", "log", "events.subscribe", "events.unsubscribe",
        ],
        .operate: [
            "submit", "cancel", "cancelAll", "stop", "device.report", "app.opened", "app.forceQuit", "app.setRefresh",
        ],
        .admin: [
            "simulateLaunch", "simulateExpiration", "device.override", "device.clear", "app.resume", "pause", "resume",
            "reload", "store.acknowledge", "debug", "shutdown",
        ],
    ]

    private static let simulation: Set<String> = [
        "simulateLaunch", "simulateExpiration", "device.override", "device.clear",
    ]

    private static let ways: [AccessLevel: String] = [
        .operate: "join the socket's group 'operators'", .admin: "ask as root or as the daemon's own user",
    ]

    private static let advice = AccessAdvice.configuration(group: "operators")

    static let rows = ControlHandlers.table.rows.map(\.method.name)

    private func request(_ method: String) throws -> Request {
        var state = ConnectionState()
        state.receive(Array((#"{"jsonrpc":"2.0","id":1,"method":"\#(method)"}"# + "\n").utf8))
        guard case .request(_, let request) = state.next() else {
            throw RPCError.internalError("\(method) is no request")
        }
        return request
    }

    @Test(
        "it is the one of the protocol's table, and a lower one is told which it is and how to get it", arguments: rows)
    func level(method: String) throws {
        let needed = try #require(Self.levels.first { $0.value.contains(method) }?.key, "\(method) has no level here")
        for level in AccessLevel.allCases {
            let request = try request(method)
            if level >= needed {
                #expect(throws: Never.self) {
                    _ = try ControlHandlers.table.lookup(request, access: level, advice: Self.advice)
                }
                continue
            }
            let error = #expect(throws: RPCError.self) {
                _ = try ControlHandlers.table.lookup(request, access: level, advice: Self.advice)
            }
            let refusal = try #require(error)
            #expect(refusal.code == 21)
            #expect(refusal.kind == "accessDenied")
            #expect(
                refusal.message.hasPrefix(
                    "The method '\(method)' needs the access level '\(needed.name)', and yours is '\(level.name)'; "))
            #expect(refusal.message.contains(try #require(Self.ways[needed])))
            var writer = JSONWriter()
            refusal.write(into: &writer)
            let data = try JSONDocument.parse(writer.bytes).root["data"]
            #expect(data?["level"]?.string == needed.name)
            #expect(data?["access"]?.string == level.name)
        }
    }

    @Test("simulation: false is a matter of those that simulate and override, and of no other", arguments: rows)
    func simulation(method: String) throws {
        let row = try ControlHandlers.table.lookup(method)
        #expect(row.handler.needsSimulation == Self.simulation.contains(method))
    }
}
