import Foundation
import Glibc
import Testing

@Suite("What a plugin's process is started with")
struct PluginIsolationTests {
    private static let environment: Set<String> = [
        "PATH", "HOME", "USER", "LANG", "TZ", "TMPDIR", "RUNNER_PLUGIN_FD", "RUNNER_LAUNCH",
    ]

    /// What the plugin found when it looked at itself in a run.
    private func facts(_ scene: Scene, _ zoo: ZooScene) async throws -> JSONNode {
        let run = try await zoo.launch(ZooScene.task, submit: true)
        #expect(run["state"] == "succeeded", "\(run)")
        return JSONNode(try await scene.ask("log", ["run": run["run"]])["lines"][0]["text"].text ?? "")
    }

    @Test("a session of its own, four descriptors, a clean environment, no blocked signals, and its limits")
    func clean() async throws {
        try await Scene.with { scene in
            let zoo = try ZooScene(scene)
            let limits: JSONNode = ["memory": "512M", "cpuSeconds": 77, "openFiles": 60]
            try zoo.writeBundle("zoo", animal: "tells_of_itself", tasks: ["run"], limits: limits)
            // This path finds an interpreter that is no script which adds to its environment.
            let variables = ["SECRET": "of the daemon", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"]
            try await scene.withDaemon(environment: variables) { daemon in
                // Descriptors of the daemon that it must not have.
                try await zoo.runNeighbour()
                let facts = try await facts(scene, zoo)
                let process = try await zoo.process(of: "zoo")
                #expect(facts["process"].integer == process.map(Int.init))
                #expect(facts["session"] == facts["process"])
                #expect(facts["group"] == facts["process"])
                #expect(getsid(daemon.process.processIdentifier) != process)
                #expect(facts["descriptors"] == ["0", "1", "2", "3"])
                #expect(facts["input"] == "/dev/null")
                #expect(facts["blocked"] == [])
                #expect(facts["folder"] == .string(scene.path("plugins/zoo.plugin")))

                guard case .object(let variables) = facts["environment"] else {
                    Issue.record("there is no environment: \(facts)")
                    return
                }
                #expect(Self.environment.isSuperset(of: variables.keys), "\(variables.keys.sorted())")
                #expect(variables["RUNNER_PLUGIN_FD"] == "3")
                #expect(variables["LANG"] == "C.UTF-8")

                let data = 512 << 20
                #expect(facts["limits"]["DATA"] == [.number(Double(data)), .number(Double(data))])
                #expect(facts["limits"]["CPU"][0] == 77)
                #expect(facts["limits"]["NOFILE"] == [60, 60])
                #expect(facts["limits"]["CORE"] == [0, 0])
            }
        }
    }

    @Test(
        "with a user of its own it is that user alone, and its processes can be limited",
        .enabled(if: geteuid() == 0, "only root can be somebody else"))
    func user() async throws {
        try await Scene.with { scene in
            let entry = try #require(getpwnam("nobody")?.pointee)
            let (uid, gid, home) = (Double(entry.pw_uid), Double(entry.pw_gid), String(cString: entry.pw_dir))
            // The other user reads the bundle, and nothing else there.
            chmod(scene.folder.path, 0o711)
            let zoo = try ZooScene(scene)
            try zoo.writeBundle(
                "zoo", animal: "tells_of_itself", tasks: ["run"], limits: ["processes": 4_096], user: "nobody")
            try await scene.withDaemon { _ in
                let facts = try await facts(scene, zoo)
                #expect(facts["user"] == [.number(uid), .number(uid), .number(uid)])
                #expect(Set(facts["groups"].elements) == [.number(gid)])
                #expect(facts["limits"]["NPROC"] == [4_096, 4_096])
                #expect(facts["environment"]["USER"] == "nobody")
                #expect(facts["environment"]["HOME"] == .string(home))
                // It can still be ended.
                try await zoo.remove()
                try await zoo.wait(for: "zoo", toBe: "missing")
            }
        }
    }

    @Test(
        "an ordinary user's daemon runs plugins and commands whose user is its own",
        .enabled(if: OrdinaryUser.isAvailable))
    func ownUser() async throws {
        try await Scene.with { scene in
            // In a user namespace we can be anybody who has a name.
            let uid = geteuid() == 0 ? 1 : geteuid()
            let name = String(cString: try #require(getpwuid(uid)?.pointee).pw_name)
            let zoo = try ZooScene(scene)
            try zoo.writeBundle("zoo", animal: "good", tasks: ["run"], user: .string(name))
            try scene.writeBundle("app", tasks: ["who": ["command": ["/usr/bin/id", "-u"], "user": .string(name)]])
            let daemon = try OrdinaryUser.command(
                Programs.runnerd,
                [
                    "--foreground", "--state", scene.state.path, "--socket", scene.socket, "--plugins",
                    scene.plugins.path,
                ], as: uid, keepingOutputIn: scene.folder)
            defer { daemon.signal(SIGKILL) }
            try await scene.waitUntilListening(daemon)
            #expect(try await zoo.launch(ZooScene.task, submit: true)["state"] == "succeeded")
            let run = try await zoo.launch("com.example.app.who", submit: true)
            #expect(run["state"] == "succeeded", "\(run)")
            #expect(try await scene.ask("log", ["run": run["run"]])["lines"][0]["text"] == .string("\(uid)"))
            daemon.signal(SIGTERM)
            #expect(await daemon.wait().status == 0)
        }
    }

    @Test("a user that there is not refuses the bundle, with the key and the fix")
    func unknownUser() async throws {
        try await Scene.with { scene in
            let zoo = try ZooScene(scene)
            try zoo.writeBundle("zoo", animal: "good", tasks: ["run"], user: "no-such-user-here")
            let check = try await scene.control("manifest", "check", scene.path("plugins/zoo.plugin"))
            #expect(check.status != 0)
            #expect(check.output.contains("RunnerPlugin.user: There is no user “no-such-user-here” on this system."))
            #expect(check.output.contains("Make that user, or name another."))
        }
    }
}
