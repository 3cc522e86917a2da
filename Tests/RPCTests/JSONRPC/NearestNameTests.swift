import Testing

@testable import RPC

struct NearestNameTests {
    static let names = [
        "status", "submit", "cancel", "cancelAll", "simulateLaunch", "simulateExpiration", "events.subscribe",
    ]

    @Test(
        "the name that was probably meant is found",
        arguments: [
            ("statsu", "status"), ("sumbit", "submit"), ("Status", "status"), ("cancelall", "cancelAll"),
            ("simulate-launch", "simulateLaunch"), ("simulate", "simulateLaunch"),
            ("event.subscribe", "events.subscribe"),
            ("cance", "cancel"), ("status", "status"),
        ])
    func found(_ name: String, _ nearest: String) {
        #expect(NearestName.find(name, in: Self.names) == nearest)
    }

    @Test("a name that resembles nothing finds nothing", arguments: ["", "...", "quit", "xyzzyxyzzy", "st"])
    func nothing(_ name: String) {
        #expect(NearestName.find(name, in: Self.names) == nil)
    }

    @Test("absurdly long names are not compared")
    func long() {
        #expect(NearestName.find(String(repeating: "a", count: 1_000_000), in: Self.names) == nil)
        #expect(NearestName.find("status", in: [String(repeating: "status", count: 100)]) == nil)
    }
}
