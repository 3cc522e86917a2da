import Scheduling
import Testing

@Suite("The nearest name")
struct NearestNameTests {
    static let names = [
        "history", "simulate-launch", "simulateLaunch", "submit", "stop", "status", "com.example.refresh",
    ]

    @Test(
        "finds what was probably meant",
        arguments: [
            ("histroy", "history"), ("HISTORY", "history"), ("simulate_lauch", "simulate-launch"), ("submti", "submit"),
            ("com.example.refesh", "com.example.refresh"), ("sim", "simulate-launch"), ("stp", "stop"),
            ("xyzzy", nil), ("", nil), ("-", nil), ("s", nil),
        ] as [(String, String?)])
    func nearest(name: String, expected: String?) {
        #expect(NearestName.nearest(to: name, among: Self.names) == expected)
    }

    @Test("does not depend on the order of the candidates")
    func order() {
        for names in [["cat", "bat", "rat"], ["rat", "cat", "bat"]] {
            #expect(NearestName.nearest(to: "aat", among: names) == "bat")
        }
        for names in [["stop-b", "stop-a"], ["stop-a", "stop-b"]] {
            #expect(NearestName.nearest(to: "sto", among: names) == "stop-a")
        }
    }

    @Test("compares no more than 128 bytes, and none of nothing")
    func bounds() {
        let long = String(repeating: "a", count: 100_000)
        #expect(NearestName.nearest(to: long, among: [long + "b"]) == long + "b")
        #expect(NearestName.nearest(to: "a", among: [String]()) == nil)
    }
}
