import Foundation
import Glibc
import Testing

/// Who connects is really somebody else.
@Suite("Access to the control socket", .timeLimit(.minutes(2)))
struct LiveAccessTests {
    private static let group = 54_400

    private func withDaemon(_ configuration: JSONNode, _ body: (Scene) async throws -> Void) async throws {
        try await Scene.with { scene in
            try scene.write(String(decoding: try JSONEncoder().encode(configuration), as: UTF8.self), to: "runner.json")
            chmod(scene.folder.path, 0o755)
            try scene.writeBundle("contract", tasks: ["clean": ["command": ["/bin/true"], "kind": "processing"]])
            try await scene.withDaemon(options: ["--config", scene.path("runner.json")]) { _ in try await body(scene) }
        }
    }

    private func expectRefusal(_ reply: JSONNode, level: JSONNode, own: JSONNode) {
        let error = reply["error"]
        #expect(error["code"] == 21)
        #expect(error["data"]["kind"] == "accessDenied")
        #expect(error["data"]["level"] == level)
        #expect(error["data"]["access"] == own)
        let message = error["message"].text ?? ""
        #expect(message.contains("needs the access level '\(level.text ?? "")'"))
        #expect(message.contains("ask as root"))
    }

    @Test(
        "an outsider at an open socket reads, and is told how to get more",
        .enabled(if: OtherUser.isPossible, OtherUser.why))
    func outsider() async throws {
        try await withDaemon(["access": ["socketMode": "0666"]]) { scene in
            let outsider = OtherUser()
            let hello = try await outsider.reply(in: scene, to: "hello")
            #expect(hello["result"]["access"] == "read")
            #expect(hello["result"]["user"] == 54_321)
            #expect(try await outsider.reply(in: scene, to: "pending")["result"]["requests"] == [])
            let cancel = try await outsider.reply(in: scene, to: "cancel", #"["com.example.contract.clean"]"#)
            expectRefusal(cancel, level: "operate", own: "read")
            expectRefusal(try await outsider.reply(in: scene, to: "shutdown"), level: "admin", own: "read")
            // Refused before its params are looked at.
            let wrong = try await outsider.reply(in: scene, to: "cancel", "[5]")
            expectRefusal(wrong, level: "operate", own: "read")
        }
    }

    @Test(
        "a member of the socket's group operates, by a supplementary group too, and is no admin",
        .enabled(if: OtherUser.isPossible, OtherUser.why))
    func members() async throws {
        // A group that every machine has.
        let group = try #require(getgrnam("users")).pointee
        try await withDaemon(["access": ["group": "users"]]) { scene in
            var status = stat()
            #expect(stat(scene.socket, &status) == 0)
            #expect(status.st_mode & 0o777 == 0o660)
            #expect(status.st_gid == group.gr_gid)
            let gid = Int(group.gr_gid)
            for member in [OtherUser(gid: gid), OtherUser(groups: [Self.group, gid])] {
                #expect(try await member.reply(in: scene, to: "hello")["result"]["access"] == "operate")
                let cancel = try await member.reply(in: scene, to: "cancel", #"["com.example.contract.clean"]"#)
                #expect(cancel["result"]["cancelled"] == false)
                expectRefusal(try await member.reply(in: scene, to: "pause"), level: "admin", own: "operate")
            }
            #expect(try await OtherUser(groups: [Self.group]).reply(in: scene, to: "hello") == "no way in")
        }
    }

    @Test("root and the daemon's own user are admin")
    func owners() async throws {
        try await withDaemon(["access": ["others": "none"]]) { scene in
            let hello = try Wire(scene.socket).ask("hello")["result"]
            #expect(hello["access"] == "admin")
            #expect(hello["user"].integer == Int(geteuid()))
            #expect(try Wire(scene.socket).ask("pause")["result"]["paused"] == true)
        }
    }

    @Test(
        "others who have no level are turned away with one sentence, and named users have theirs",
        .enabled(if: OtherUser.isPossible, OtherUser.why))
    func others() async throws {
        let access: JSONNode = [
            "socketMode": "0666", "others": "none", "users": ["54322": "operate", "54323": "admin"],
        ]
        try await withDaemon(["access": access]) { scene in
            let turnedAway = try await OtherUser().reply(in: scene, to: "hello")
            expectRefusal(turnedAway, level: "read", own: .null)
            #expect(turnedAway["id"].isNull)
            #expect(try await OtherUser(uid: 54_322).reply(in: scene, to: "hello")["result"]["access"] == "operate")
            #expect(try await OtherUser(uid: 54_323).reply(in: scene, to: "hello")["result"]["access"] == "admin")
        }
    }

    @Test("nobody's number, 65534, matches no rule", .enabled(if: OtherUser.isPossible, OtherUser.why))
    func nobody() async throws {
        let access: JSONNode = ["socketMode": "0666", "group": "users", "users": ["65534": "admin"]]
        let gid = try #require(getgrnam("users")).pointee.gr_gid
        try await withDaemon(["access": access]) { scene in
            let nobody = OtherUser(uid: 65_534, gid: 65_534, groups: [Int(gid)])
            #expect(try await nobody.reply(in: scene, to: "hello")["result"]["access"] == "read")
            expectRefusal(try await nobody.reply(in: scene, to: "pause"), level: "admin", own: "read")
        }
    }

    @Test("simulation: false switches simulating and overriding off, for root too")
    func simulation() async throws {
        try await withDaemon(["simulation": false]) { scene in
            let wire = try Wire(scene.socket)
            let calls = [
                ("simulateLaunch", #"["com.example.contract.clean",true]"#),
                ("simulateExpiration", #"["com.example.contract.clean"]"#),
                ("device.override", #"["idle",true]"#), ("device.clear", "[]"),
            ]
            for (method, params) in calls {
                let error = try wire.ask(method, params)["error"]
                #expect(error["code"] == 20, "\(method)")
                #expect(error["data"]["kind"] == "simulationDisabled")
            }
            #expect(
                try wire.ask("device.report", #"["idle",true,"a test"]"#)["result"]["state"]["idle"]["value"] == true)
            #expect(try wire.ask("status")["result"]["simulation"] == false)
        }
    }
}
