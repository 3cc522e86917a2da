import Foundation
import Glibc
import Testing

/// Each limit of 03, *Framing*, as it is configured, just under and just over.
@Suite("The limits of the control socket", .timeLimit(.minutes(3)))
struct LimitTests {
    /// Lets everybody in, with these limits.
    private func withDaemon(_ limits: JSONNode, _ body: (Scene) async throws -> Void) async throws {
        try await Scene.with { scene in
            let configuration: JSONNode = ["connectionLimits": limits, "access": ["socketMode": "0666"]]
            try scene.write(String(decoding: try JSONEncoder().encode(configuration), as: UTF8.self), to: "runner.json")
            chmod(scene.folder.path, 0o755)
            try scene.writeBundle("contract", tasks: ["long": ["command": ["/bin/sleep", "600"]]])
            try await scene.withDaemon(options: ["--config", scene.path("runner.json")]) { daemon in
                try await body(scene)
                #expect(daemon.process.isRunning)
            }
        }
    }

    private func hello(padding: Int, _ id: Int = 1) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"hello","params":[""# + String(repeating: "x", count: padding) + #""]}"#
    }

    private func expectEnd(_ limit: String, _ wire: Wire, id: JSONNode = .null) throws {
        let last = try wire.receive()
        #expect(last["error"]["code"] == 22)
        #expect(last["error"]["data"]["kind"] == "limitExceeded")
        #expect(last["error"]["data"]["limit"] == .string(limit))
        #expect(last["id"] == id)
        #expect(try wire.receiveLine() == nil)
    }

    @Test("a line", arguments: [(JSONNode.null, 262_144), ("2K", 2_048)])
    func line(configured: JSONNode, bytes: Int) async throws {
        try await withDaemon(configured.isNull ? [:] : ["line": configured]) { scene in
            let padding = bytes - hello(padding: 0).utf8.count
            let wire = try Wire(scene.socket)
            try wire.send(line: hello(padding: padding))
            #expect(try wire.receive()["result"]["limits"]["lineBytes"].integer == bytes)
            // White space counts too.
            try wire.send(line: " " + hello(padding: padding - 1))
            #expect(try wire.receive()["id"] == 1)
            try wire.send(line: hello(padding: padding + 1))
            try expectEnd("line", wire)
            // It is told before its end has come.
            let endless = try Wire(scene.socket)
            try endless.send([UInt8(ascii: "[")] + Array(repeating: UInt8(ascii: "1"), count: bytes))
            try expectEnd("line", endless)
            let blank = try Wire(scene.socket)
            try blank.send(Array(repeating: UInt8(ascii: " "), count: bytes + 1))
            try expectEnd("line", blank)
        }
    }

    @Test("depth", arguments: [(JSONNode.null, 32), (4, 4)])
    func depth(configured: JSONNode, levels: Int) async throws {
        func nested(_ levels: Int) -> String {
            #"{"jsonrpc":"2.0","id":1,"method":"submit","params":"#
                + String(repeating: "[", count: levels - 1) + String(repeating: "]", count: levels - 1) + "}"
        }
        try await withDaemon(configured.isNull ? [:] : ["depth": configured]) { scene in
            let wire = try Wire(scene.socket)
            try wire.send(line: nested(levels))
            #expect(try wire.receive()["error"]["code"] == -32_602)
            try wire.send(line: nested(levels + 1))
            try expectEnd("depth", wire)
            // It is told before the line's end has come, and what follows is not waited for.
            let endless = try Wire(scene.socket)
            try endless.send(Array(repeating: UInt8(ascii: "["), count: levels))
            try endless.send(Array(repeating: UInt8(ascii: "["), count: 1))
            try expectEnd("depth", endless)
        }
    }

    @Test("a batch", arguments: [(JSONNode.null, 64), (3, 3)])
    func batch(configured: JSONNode, requests: Int) async throws {
        func batch(_ count: Int) -> String {
            "[" + Array(repeating: hello(padding: 0), count: count).joined(separator: ",") + "]"
        }
        try await withDaemon(configured.isNull ? [:] : ["batch": configured]) { scene in
            let wire = try Wire(scene.socket)
            try wire.send(line: batch(requests))
            #expect(try wire.receive().elements.count == requests)
            try wire.send(line: batch(requests + 1))
            try expectEnd("batch", wire)
        }
    }

    @Test("unanswered requests", arguments: [(JSONNode.null, 1_024), (4, 4)])
    func unanswered(configured: JSONNode, requests: Int) async throws {
        try await withDaemon(configured.isNull ? [:] : ["unanswered": configured]) { scene in
            let launch = try Wire(scene.socket).ask(
                "simulateLaunch", #"{"identifier":"com.example.contract.long","submit":true}"#)
            let run = try #require(launch["result"]["run"]["run"].integer)
            let wire = try Wire(scene.socket)
            let wait = #"{"jsonrpc":"2.0","id":"w","method":"wait","params":[\#(run)]}"#
            for _ in 1..<requests { try wire.send(line: wait) }
            #expect(try wire.ask("hello")["result"]["protocol"] == 1)
            try wire.send(line: wait)
            try wire.send(line: #"{"jsonrpc":"2.0","id":"more","method":"hello"}"#)
            try expectEnd("unanswered", wire, id: "more")
            // The waits went with it, and the run goes on.
            #expect(try Wire(scene.socket).ask("running")["result"]["runs"].elements.count == 1)
        }
    }

    @Test("connections of a user, from which root is exempt", .enabled(if: OtherUser.isPossible, OtherUser.why))
    func perUser() async throws {
        try await withDaemon(["connectionsPerUser": 2]) { scene in
            let replies = try await OtherUser().replies(in: scene, connections: 3, sending: hello(padding: 0))
            try #require(replies.count == 3)
            #expect(replies[1]["result"]["protocol"] == 1)
            #expect(replies[2]["error"]["data"]["limit"] == "connectionsPerUser")
            let ours = try (0..<3).map { _ in try Wire(scene.socket) }
            for wire in ours { #expect(try wire.ask("hello")["result"]["protocol"] == 1) }
            // Another user has a limit of its own, and the first may come again.
            for uid in [54_322, 54_321] {
                let again = try await OtherUser(uid: uid).replies(
                    in: scene, connections: 2, sending: hello(padding: 0))
                #expect(again.allSatisfy { $0["result"]["protocol"] == 1 })
            }
        }
    }

    @Test("connections in all, of which some are kept for admins", .enabled(if: OtherUser.isPossible, OtherUser.why))
    func connections() async throws {
        try await withDaemon(["connections": 5, "connectionsKeptForAdmins": 2]) { scene in
            let replies = try await OtherUser().replies(in: scene, connections: 4, sending: hello(padding: 0))
            try #require(replies.count == 4)
            #expect(replies[2]["result"]["protocol"] == 1)
            #expect(replies[3]["error"]["data"]["limit"] == "connections")
            let ours = try (0..<5).map { _ in try Wire(scene.socket) }
            for wire in ours { #expect(try wire.ask("hello")["result"]["protocol"] == 1) }
            let turnedAway = try await OtherUser().replies(in: scene, sending: hello(padding: 0))
            #expect(turnedAway.first?["error"]["data"]["limit"] == "connections")
            try expectEnd("connections", try Wire(scene.socket))
            // One that goes makes room.
            ours[0].close()
            try await scene.wait("there is room again") {
                let wire = try Wire(scene.socket)
                try wire.send(line: hello(padding: 0))
                return try wire.receive()["result"]["protocol"] == 1
            }
        }
    }

    @Test("output that is not read, and when the client is given up")
    func outputStall() async throws {
        try await withDaemon(["output": "64K", "outputStall": "8s"]) { scene in
            let wire = try Wire(scene.socket)
            // More than the kernel and the daemon together take.
            let count = 1_000
            let requests = Array((0..<count).map { hello(padding: 0, $0) + "\n" }.joined().utf8)
            let began = ContinuousClock.now
            try wire.send(requests)
            #expect(try Wire(scene.socket).ask("hello")["result"]["protocol"] == 1)
            try await scene.wait("the client is given up") { wire.isHungUp }
            #expect(ContinuousClock.now - began >= .seconds(8))
            let replies = try wire.rest()
            #expect(!replies.isEmpty && replies.count < count)

            // A client that reads before gets everything.
            let patient = try Wire(scene.socket)
            try patient.send(requests)
            for id in 0..<count { #expect(try patient.receive()["id"].integer == id) }
            #expect(!patient.isHungUp)
        }
    }
}
