import Foundation
import Glibc
import Testing

@Suite("Events of a live daemon", .serialized)
struct EventTests {
    private static let task = "com.example.app.work"

    private func writeBundle(_ scene: Scene) throws {
        let script = "for part in 1 2 3; do echo part $part; sleep 0.05; done"
        try scene.writeBundle("app", tasks: ["work": ["command": ["/bin/sh", "-c", .string(script)]]])
    }

    /// The lines of `runnerctl events --json` so far.
    private func events(_ lines: [Substring]) -> [JSONNode] {
        lines.map { JSONNode(String($0)) }
    }

    @Test("what happens to a request and its run is told in order")
    func order() async throws {
        try await Scene.with { scene in
            try writeBundle(scene)
            try await scene.withDaemon { _ in
                let follow = try scene.startControl("events", "--follow", "--json", "--identifier", Self.task)
                try await scene.ask("submit", ["identifier": .string(Self.task)])
                var told: [JSONNode] = []
                try await scene.wait("the end is told: \(told)") {
                    told = events(follow.outputLinesSoFar)
                    return told.contains { $0["type"] == "ended" }
                }
                let types = told.compactMap { $0["type"].text }
                let states = told.compactMap { $0["data"]["run"]["state"].text }
                #expect(
                    types.filter { $0 != "logged" } == ["submitted", "launched", "launched", "diagnostic", "ended"])
                #expect(types.contains("logged"))
                #expect(types.last == "ended")
                #expect(states == ["starting", "running", "succeeded"])
                let sequences = told.compactMap { $0["sequence"].integer }
                #expect(sequences == sequences.sorted() && Set(sequences).count == sequences.count)

                let cursor = try #require(told.first { $0["type"] == "logged" }?["data"]["cursor"].text)
                let log = try await scene.ask("log", ["run": 1, "after": .string(cursor)])
                #expect(log["lines"].elements.first?["text"] == "part 1")
                follow.signal(SIGINT)
                #expect(await follow.wait().status == 0)
            }
        }
    }

    @Test("who follows goes on after the daemon was killed and started again, and shows the gap")
    func restart() async throws {
        try await Scene.with { scene in
            try writeBundle(scene)
            let follow: Command
            let daemon = try scene.startDaemon()
            try await scene.waitUntilListening(daemon)
            follow = try scene.startControl("events", "--follow", "--json")
            try await scene.wait("the first life is told") {
                events(follow.outputLinesSoFar).contains { $0["data"]["phase"] == "running" }
            }
            daemon.signal(SIGKILL)
            _ = await daemon.wait()
            try await scene.withDaemon { _ in
                try await scene.ask("submit", ["identifier": .string(Self.task)])
                try await scene.wait("the second life is told") {
                    events(follow.outputLinesSoFar).contains { $0["type"] == "ended" }
                }
                let told = events(follow.outputLinesSoFar)
                let gap = try #require(told.firstIndex { $0["type"] == "gap" })
                #expect(told[gap]["reason"] == "restarted")
                #expect(told.count { $0["type"] == "gap" } == 1)
                // The second life is told from its beginning.
                #expect(told[gap + 1]["sequence"] == 1)
                follow.signal(SIGTERM)
                #expect(await follow.wait().status == 0)
            }
        }
    }

    @Test("without --follow the kept events are shown, and a reader that goes ends the stream")
    func ends() async throws {
        try await Scene.with { scene in
            try writeBundle(scene)
            try await scene.withDaemon { _ in
                let kept = try await scene.control("events")
                #expect(kept.status == 0)
                #expect(kept.output.contains("  phaseChanged "))
                let shell = "\(Programs.runnerctl.path) events --follow | head -n 1"
                let piped = try await scene.run(
                    URL(fileURLWithPath: "/bin/sh"), ["-c", shell], environment: ["RUNNER_SOCKET": scene.socket])
                #expect(piped.status == 0)
                #expect(piped.output.split(separator: "\n").count == 1)
                let debug = try await scene.control("debug", "--json")
                #expect(debug.json["state"]["control"]["subscriptions"] == 0)
                #expect(debug.json["events"].elements.count > 0)
            }
        }
    }
}
