import Foundation
import Glibc
import Testing

@Suite("The socket file, as real daemons make, keep and remove it", .serialized)
struct SocketFileTests {
    private func mode(_ path: String) -> mode_t {
        var status = stat()
        lstat(path, &status)
        return status.st_mode
    }

    /// A daemon that must not start: how it ended.
    private func refused(_ scene: Scene, socket: String, state: String = "other-state") async throws -> Command.Outcome
    {
        let daemon = try Command(
            Programs.runnerd, ["--foreground", "--state", scene.path(state), "--socket", socket],
            keepingOutputIn: scene.folder)
        let outcome = await daemon.wait()
        #expect(outcome.status == 1, "\(outcome)")
        return outcome
    }

    /// Starts a daemon as systemd does: with the socket, at the first connection.
    ///
    /// It is a child of a shell, because it closes all descriptors that it inherits: Foundation would take that for its
    /// end, and wait for it on the one thread that notices the ends of all other programs.
    private func activate(_ scene: Scene, _ arguments: [String]) throws -> Command {
        try Command(
            Programs.bash, ["-c", #"systemd-socket-activate "$@"; exit $?"#, "bash"] + arguments,
            keepingOutputIn: scene.folder)
    }

    @Test("its folder and its mode are this user's alone, whatever the umask, and it goes with the daemon")
    func lifeOfTheFile() async throws {
        try await Scene.with { scene in
            let socket = scene.path("made/control.sock")
            let daemon = try Command(
                Programs.bash,
                [
                    "-c", "umask 0; exec \"$0\" \"$@\"", Programs.runnerd.path, "--foreground", "--state",
                    scene.state.path, "--socket", socket,
                ], keepingOutputIn: scene.folder)
            try await scene.waitUntilListening(daemon)
            #expect(mode(scene.path("made")) & 0o7777 == 0o700)
            #expect(mode(socket) & 0o7777 == 0o600)
            #expect(scene.names(in: "made") == ["control.sock"])
            daemon.signal(SIGTERM)
            #expect(await daemon.wait().status == 0)
            #expect(scene.names(in: "made") == [])
        }
    }

    @Test("one that a killed daemon left is replaced by the next")
    func stale() async throws {
        try await Scene.with { scene in
            try await scene.withDaemon { daemon in
                daemon.signal(SIGKILL)
                _ = await daemon.wait()
            }
            #expect(mode(scene.socket) & S_IFMT == S_IFSOCK)
            try await scene.withDaemon { daemon in
                let status = try await scene.ask("status")
                #expect(status["pid"].integer == Int(daemon.process.processIdentifier))
            }
        }
    }

    @Test("a file that took its place stays when the daemon ends", arguments: ["file", "socket"])
    func notOurs(kind: String) async throws {
        try await Scene.with { scene in
            try await scene.withDaemon { daemon in
                unlink(scene.socket)
                if kind == "file" {
                    try scene.write("precious", to: "control.sock")
                } else {
                    try await scene.run(
                        Programs.python,
                        ["-c", "import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])", scene.socket])
                }
                daemon.signal(SIGTERM)
                #expect(await daemon.wait().status == 0)
                #expect(mode(scene.socket) & S_IFMT == (kind == "file" ? S_IFREG : S_IFSOCK))
            }
        }
    }

    @Test("a symbolic link in its place, or in its folder's, is neither followed nor replaced")
    func links() async throws {
        try await Scene.with { scene in
            symlink(scene.path("elsewhere"), scene.socket)
            let atFile = try await refused(scene, socket: scene.socket)
            #expect(atFile.errors.contains("a symbolic link is in the way"))
            #expect(mode(scene.socket) & S_IFMT == S_IFLNK)
            #expect(!scene.exists("elsewhere"))

            mkdir(scene.path("theirs"), 0o700)
            symlink(scene.path("theirs"), scene.path("link"))
            let atFolder = try await refused(scene, socket: scene.path("link/control.sock"))
            #expect(atFolder.errors.contains("it is a symbolic link"))
            #expect(scene.names(in: "theirs") == [])
        }
    }

    @Test("a folder of another user, and one to which others may write, are refused", .enabled(if: geteuid() == 0))
    func foreignFolder() async throws {
        try await Scene.with { scene in
            mkdir(scene.path("theirs"), 0o700)
            chown(scene.path("theirs"), 65_533, 65_533)
            let foreign = try await refused(scene, socket: scene.path("theirs/control.sock"))
            #expect(foreign.errors.contains("it belongs to user 65533"))
            mkdir(scene.path("open"), 0o700)
            chmod(scene.path("open"), 0o777)
            let open = try await refused(scene, socket: scene.path("open/control.sock"))
            #expect(open.errors.contains("others may write to it"))
            #expect(scene.names(in: "theirs") + scene.names(in: "open") == [])
        }
    }

    @Test("/tmp itself is no folder for it, and an abstract name is no path")
    func neverThere() async throws {
        try await Scene.with { scene in
            let name = "/tmp/runner-\(UUID().uuidString).sock"
            let shared = try await refused(scene, socket: name)
            #expect(shared.errors.contains("cannot use the folder /tmp"))
            #expect(!FileManager.default.fileExists(atPath: name))
            let abstract = try Command(
                Programs.runnerd, ["--foreground", "--state", scene.path("other-state"), "--socket", ""],
                keepingOutputIn: scene.folder)
            #expect(await abstract.wait().status != 0)
        }
    }

    @Test("of daemons that start at the same time on one state one lives, and the others name it")
    func race() async throws {
        try await Scene.with { scene in
            for round in 0..<5 {
                let daemons = try (0..<4).map { _ in try scene.startDaemon() }
                try await scene.wait("round \(round) has three that ended") {
                    daemons.count { !$0.process.isRunning } == 3
                }
                let alive = try #require(daemons.first { $0.process.isRunning })
                try await scene.waitUntilListening(alive)
                let pid = Int(alive.process.processIdentifier)
                #expect(try await scene.ask("status")["pid"].integer == pid)
                for daemon in daemons where daemon !== alive {
                    let outcome = await daemon.wait()
                    #expect(outcome.status == 1)
                    #expect(outcome.errors.contains("\(pid)"), "\(outcome)")
                }
                // It left nothing of the others behind, and its own socket is whole.
                #expect(scene.names(in: ".").filter { $0.contains("sock") } == ["control.sock"])
                alive.signal(round.isMultiple(of: 2) ? SIGTERM : SIGKILL)
                _ = await alive.wait()
            }
        }
    }

    @Test("a socket that systemd passes wins over all, is what commands are told, and stays when the daemon ends")
    func passed() async throws {
        try await Scene.with { scene in
            try scene.writeBundle(
                "app", tasks: ["tell": ["command": ["/bin/bash", "-c", "echo \"$RUNNER_SOCKET\""]]])
            let passed = scene.path("passed.sock")
            let activator = try activate(
                scene,
                [
                    "--listen", passed, "--fdname", "control", Programs.runnerd.path, "--foreground", "--state",
                    scene.state.path, "--socket", scene.socket, "--plugins", scene.plugins.path,
                ])
            defer { activator.signal(SIGKILL) }
            try await scene.wait("systemd listens") { mode(passed) & S_IFMT == S_IFSOCK }
            // The first connection starts the daemon, and is answered by it.
            let ask = { (arguments: [String]) in
                try await scene.run(Programs.runnerctl, ["--json", "--socket", passed] + arguments)
            }
            let status = try await ask(["status"])
            #expect(status.status == 0, "\(status) \(activator.errorsSoFar)")
            #expect(!scene.exists("control.sock"))
            #expect(activator.errorsSoFar.contains("listens at \(passed)"))
            let run = try await ask(["simulate-launch", "com.example.app.tell", "--submit", "--wait"])
            #expect(run.status == 0, "\(run)")
            let lines = try await ask(["log", "--run", "\(run.json["run"]["run"].integer ?? 0)"]).json["lines"]
            #expect(lines[0]["text"].text == passed)
            #expect(try await ask(["shutdown"]).status == 0)
            #expect(await activator.wait().status == 0)
            #expect(mode(passed) & S_IFMT == S_IFSOCK, "systemd made it, and systemd removes it")
        }
    }

    @Test("a passed socket outside the file system is refused in one sentence")
    func passedAbstract() async throws {
        try await Scene.with { scene in
            let name = "runner-\(UUID().uuidString)"
            let activator = try activate(
                scene, ["--listen", "@\(name)", Programs.runnerd.path, "--foreground", "--state", scene.state.path])
            defer { activator.signal(SIGKILL) }
            // The connection that starts the daemon.
            try await scene.wait("the daemon is started") {
                try await scene.run(
                    Programs.python,
                    ["-c", "import socket, sys; socket.socket(socket.AF_UNIX).connect('\\0' + sys.argv[1])", name]
                ).status == 0
            }
            #expect(await activator.wait().status == 1)
            #expect(activator.errorsSoFar.contains("it must be a Unix stream socket that listens at a path"))
        }
    }
}
