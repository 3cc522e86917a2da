import Foundation
import Glibc
import Testing

@Suite("A store that fails", .serialized)
struct StoreTroubleTests {
    private let far: JSONNode = "2190-01-01T00:00:00.000Z"

    private func submit(_ scene: Scene, _ task: String) async throws -> JSONNode {
        try await scene.ask(
            "submit", ["identifier": .string("com.example.app.\(task)"), "earliestBeginDate": far])
    }

    private func writeBundle(_ scene: Scene) throws {
        try scene.writeBundle(
            "app", tasks: ["first": ["command": ["/bin/true"]], "second": ["command": ["/bin/true"], "every": "1h"]])
    }

    @Test("a damaged store is set aside, the daemon starts on a new one, and says so until that is acknowledged")
    func damaged() async throws {
        try await Scene.with { scene in
            try writeBundle(scene)
            try await scene.withDaemon { daemon in
                _ = try await submit(scene, "first")
                daemon.signal(SIGTERM)
                _ = await daemon.wait()
            }
            let file = try #require(scene.names(in: "state").first { $0.hasSuffix(".sqlite") })
            let handle = try FileHandle(forWritingTo: scene.state.appendingPathComponent(file))
            try handle.write(contentsOf: Data(repeating: 0x5A, count: 4096))
            try handle.close()
            try await scene.withDaemon { _ in
                let kept = scene.names(in: "state").filter {
                    $0.hasPrefix(file) && !["", "-wal", "-shm"].contains($0.dropFirst(file.count))
                }
                #expect(!kept.isEmpty, "\(scene.names(in: "state"))")
                let recovered = try await scene.ask("status")["store"]["recovered"]
                #expect(recovered["setAside"].text.map { FileManager.default.fileExists(atPath: $0) } == true)
                #expect(recovered["reason"].text?.isEmpty == false)
                let findings = try await scene.ask("doctor")["findings"].elements
                #expect(findings.contains { $0["name"] == "storeRecovered" }, "\(findings)")
                // What the manifests say comes back.
                let pending = try await scene.ask("pending")["requests"].elements.map { $0["identifier"] }
                #expect(pending == ["com.example.app.second"])
                _ = try await submit(scene, "first")

                try await scene.ask("store.acknowledge")
                let store = try await scene.ask("status")["store"]
                #expect(store["state"] == "ready")
                #expect(store["recovered"] == .null)
                let left = try await scene.ask("doctor")["findings"].elements
                #expect(!left.contains { $0["name"] == "storeRecovered" }, "\(left)")
            }
        }
    }

    @Test("a store that cannot grow refuses what is new, keeps what is there, and goes on when it can")
    func full() async throws {
        try await Scene.with { scene in
            try writeBundle(scene)
            // A file size limit is a disk that is full, for one process; ignoring the signal makes it an error.
            let arguments = [
                "--foreground", "--state", scene.state.path, "--socket", scene.socket, "--plugins", scene.plugins.path,
            ]
            let daemon = try Command(
                Programs.bash, ["-c", #"trap '' XFSZ; exec "$@""#, "bash", Programs.runnerd.path] + arguments,
                keepingOutputIn: scene.folder)
            do {
                try await scene.waitUntilListening(daemon)
                _ = try await submit(scene, "first")
                let before = try await scene.ask("pending")
                try await limit(scene, daemon, "1:unlimited")

                let refused = try await scene.call("submit", ["identifier": "com.example.app.first"])["error"]
                #expect(refused["code"] == 23)
                #expect(refused["data"]["kind"] == "storeUnavailable")
                let launch = try await scene.call("simulateLaunch", ["identifier": "com.example.app.second"])["error"]
                #expect(launch["data"]["kind"] == "storeUnavailable")
                #expect(try await scene.ask("status")["store"]["state"] == "unavailable")
                #expect(try await scene.ask("hello")["protocol"] == 1)

                try await limit(scene, daemon, "unlimited:unlimited")
                try await scene.wait("the store is back") {
                    try await scene.ask("status")["store"]["state"] == "ready"
                }
                #expect(try await scene.ask("pending") == before)
                #expect(try await scene.ask("history")["runs"] == [])
                let again = try await submit(scene, "first")
                #expect(again["outcome"] == "replaced")
            } catch {
                daemon.signal(SIGKILL)
                throw error
            }
            daemon.signal(SIGTERM)
            #expect(await daemon.wait().status == 0)
        }
    }

    @Test("a store that another program holds is left alone, and that is said")
    func locked() async throws {
        try await Scene.with { scene in
            try writeBundle(scene)
            try await scene.withDaemon { daemon in
                _ = try await submit(scene, "first")
                daemon.signal(SIGTERM)
                _ = await daemon.wait()
            }
            let script = """
                import sqlite3, sys, time
                database = sqlite3.connect(sys.argv[1], isolation_level=None)
                database.execute("BEGIN EXCLUSIVE")
                open(sys.argv[2], "w").close()
                time.sleep(60)
                """
            let holder = try Command(
                Programs.python, ["-c", script, scene.path("state/runner.sqlite"), scene.path("held")],
                keepingOutputIn: scene.folder)
            defer { holder.signal(SIGKILL) }
            try await scene.wait("it is held") { scene.exists("held") }
            let outcome = await (try scene.startDaemon()).wait()
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("used by another process"))
            holder.signal(SIGKILL)
            _ = await holder.wait()
            try await scene.withDaemon { _ in
                let pending = try await scene.ask("pending")["requests"].elements.map { $0["identifier"] }
                #expect(Set(pending) == ["com.example.app.first", "com.example.app.second"])
                #expect(try await scene.ask("status")["store"]["recovered"] == .null)
            }
        }
    }

    @Test(
        "a store that cannot be written is left alone, and that is said", .enabled(if: OrdinaryUser.isAvailable))
    func readOnly() async throws {
        try await Scene.with { scene in
            try writeBundle(scene)
            try await scene.withDaemon { daemon in
                _ = try await submit(scene, "first")
                daemon.signal(SIGTERM)
                _ = await daemon.wait()
            }
            let file = scene.path("state/runner.sqlite")
            let before = try Data(contentsOf: URL(fileURLWithPath: file))
            chmod(file, 0o444)
            let daemon = try OrdinaryUser.command(
                Programs.runnerd, ["--foreground", "--state", scene.state.path, "--socket", scene.socket],
                keepingOutputIn: scene.folder)
            let outcome = await daemon.wait()
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("cannot be written"))
            #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
        }
    }

    private func limit(_ scene: Scene, _ daemon: Command, _ bytes: String) async throws {
        let outcome = try await scene.run(
            URL(fileURLWithPath: "/usr/bin/prlimit"),
            ["--pid", "\(daemon.process.processIdentifier)", "--fsize=\(bytes)"])
        try #require(outcome.status == 0, "\(outcome)")
    }
}
