import Foundation
import Testing

@Suite("What a daemon says of its methods", .serialized)
struct DiscoveryTests {
    private static let isPossible = FileManager.default.isExecutableFile(atPath: Programs.pythonWithPackages.path)

    private static let tasks: [String: JSONNode] = [
        "refresh": ["command": ["/bin/echo", "12 files are new"], "kind": "appRefresh"],
        "export": ["command": ["/bin/sleep", "600"], "kind": "processing"],
    ]

    @Test(
        "it is valid OpenRPC, and every example in it works and is answered as it says",
        .enabled(if: isPossible, "needs the packages that “make venv” installs"))
    func document() async throws {
        try await Scene.with { scene in
            try scene.writeBundle("app", tasks: Self.tasks)
            try await scene.withDaemon { daemon in
                let outcome = try await scene.run(
                    Programs.pythonWithPackages,
                    [
                        Programs.script("check_discovery.py").path, scene.socket,
                        Programs.fixtures.appendingPathComponent("openrpc").path,
                    ])
                try #require(outcome.status == 0, "\(outcome.errors)")
                #expect(outcome.json["methods"].integer ?? 0 > 30)
                #expect(await daemon.wait().status == 0)
            }
        }
    }

    @Test("it is the same document each time, for the socket's clients and for people")
    func same() async throws {
        try await Scene.with { scene in
            try await scene.withDaemon { _ in
                let document = try await scene.ask("rpc.discover")
                #expect(try await scene.ask("rpc.discover") == document)
                #expect(try await scene.control("--json", "rpc", "discover").json == document)
                let names = document["methods"].elements.map { $0["name"] }
                #expect(try await scene.ask("hello")["capabilities"] == .array(names))
            }
        }
    }

    @Test("an app shows what happened to its tasks, and no process where each run has its own")
    func apps() async throws {
        try await Scene.with { scene in
            try scene.writeBundle("app", tasks: ["broken": ["command": ["/bin/sh", "-c", "kill -9 $$"]]])
            try scene.writeBundle("other", tasks: Self.tasks)
            try await scene.withDaemon { _ in
                let identifier: JSONNode = "com.example.app.broken"
                let run = try await scene.ask(
                    "simulateLaunch", ["identifier": identifier, "submit": true, "wait": true])["run"]
                #expect(run["state"] == "crashed")
                let apps = try await scene.ask("apps")["apps"].elements
                #expect(apps.map { $0["app"] } == ["com.example.app", "com.example.other"])
                #expect(apps.map { $0["process"] } == [.null, .null])
                let diagnostics = apps.map { $0["diagnostics"].elements }
                #expect(diagnostics[0].map { $0["identifier"] }.contains(identifier))
                #expect(diagnostics[1] == [])
            }
        }
    }
}
