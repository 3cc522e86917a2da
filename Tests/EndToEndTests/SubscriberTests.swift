import Foundation
import Glibc
import Testing

/// A client that subscribes to everything and never reads, while events flow.
@Suite("Subscribers that do not read", .timeLimit(.minutes(2)))
struct SubscriberTests {
    private static let subscriptions = 16
    /// Many times what a queue holds, so that memory would show whatever is kept beyond it.
    private static let events = 1_000
    /// Fewer at a time than a queue holds, so that who reads misses nothing.
    private static let together = 100
    private static let mostGrowth = 7 << 20

    /// Bytes of a process that are in memory.
    private func residentBytes(_ daemon: Command) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(daemon.process.processIdentifier)/statm", encoding: .utf8)
        return try #require(text.split(separator: " ").dropFirst().first.flatMap { Int($0) }) * Int(getpagesize())
    }

    @Test("they get an overflow and keep their connection; others miss nothing, and memory stays bounded")
    func neverReads() async throws {
        try await Scene.with { scene in
            try scene.writeBundle("app", tasks: ["work": ["command": ["/bin/true"]]])
            // However slow the machine is, it is not given up for its output.
            try scene.write(#"{"connectionLimits":{"outputStall":"10m"}}"#, to: "runner.json")
            try await scene.withDaemon(options: ["--config", scene.path("runner.json")]) { daemon in
                let (deaf, reader, submitter) = (
                    try Wire(scene.socket), try Wire(scene.socket), try Wire(scene.socket)
                )
                let place = try #require(reader.ask("events.subscribe")["result"]["sequence"].integer)
                for id in 1...Self.subscriptions {
                    try deaf.send(line: #"{"jsonrpc":"2.0","id":\#(id),"method":"events.subscribe"}"#)
                }
                let before = try residentBytes(daemon)
                let later = #"{"identifier":"com.example.app.work","earliestBeginDate":"2100-01-01T00:00:00Z"}"#
                let submit = #"{"jsonrpc":"2.0","id":1,"method":"submit","params":\#(later)}"# + "\n"
                let submits = Array(String(repeating: submit, count: Self.together).utf8)
                for first in stride(from: place + 1, through: place + Self.events, by: Self.together) {
                    try submitter.send(submits)
                    for _ in 0..<Self.together { try #require(submitter.receive()["error"].isNull) }
                    for number in first..<(first + Self.together) {
                        try #require(reader.receive()["params"]["sequence"].integer == number)
                    }
                }
                let growth = try residentBytes(daemon) - before
                print("a subscriber that does not read: \(growth) bytes after \(Self.events) events")
                #expect(growth < Self.mostGrowth)
                try judge(deaf)
            }
        }
    }

    /// Reads it all at last: each subscription has ended with one overflow, and has its events up to there.
    private func judge(_ deaf: Wire) throws {
        try deaf.send(line: #"{"jsonrpc":"2.0","id":"end","method":"hello"}"#)
        var lines: [String] = []
        while let line = try deaf.receiveLine(), !line.contains(#""id":"end""#) { lines.append(line) }
        let overflows = lines.filter { $0.contains(#""type":"overflow""#) }.map { JSONNode($0)["params"] }
        #expect(Set(overflows.compactMap { $0["subscription"].integer }).count == Self.subscriptions)
        #expect(overflows.count == Self.subscriptions)
        // One of them whole, because reading them all takes long.
        let overflow = try #require(overflows.first)
        let number = try #require(overflow["subscription"].integer)
        let events = lines.filter { $0.contains(#""params":{"subscription":\#(number),"#) }
        #expect(events.last?.contains(#""type":"overflow""#) == true)
        let sequences = events.dropLast().compactMap { JSONNode($0)["params"]["sequence"].integer }
        #expect(sequences.count > 256 && sequences.count < Self.events)
        #expect(sequences == Array((sequences.first ?? 0)...(overflow["sequence"].integer ?? 0)))
    }
}
