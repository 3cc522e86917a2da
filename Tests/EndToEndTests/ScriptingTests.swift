import Foundation
import Testing

@Suite("Programs in other languages, over the socket alone", .serialized)
struct ScriptingTests {
    /// A program of `examples/scripting`, and what runs it.
    enum Client: String, CaseIterable, CustomTestStringConvertible {
        case shell = "run-task.sh"
        case python = "run_task.py"
        case library = "run_task_aiorpcx.py"

        var testDescription: String { rawValue }

        private var interpreter: String {
            switch self {
            case .shell: Programs.bash.path
            case .python: Programs.python.path
            case .library: Programs.libraryPython
            }
        }

        func run(_ scene: Scene, _ arguments: String..., socket: String? = nil) async throws -> Command.Outcome {
            let script = Programs.examples.appendingPathComponent("scripting/\(rawValue)").path
            return try await scene.run(
                URL(fileURLWithPath: "/usr/bin/env"), [interpreter, script] + arguments,
                environment: ["RUNNER_SOCKET": socket ?? scene.socket])
        }
    }

    /// Those that can be run here: the library has to be installed.
    static let clients = Client.allCases.filter { $0 != .library || Programs.hasLibraryPython }

    private func withTasks(_ body: (Scene) async throws -> Void) async throws {
        try await Scene.with { scene in
            try scene.writeBundle(
                "app",
                tasks: [
                    "good": ["command": ["/bin/true"]],
                    "bad": ["command": ["/bin/bash", "-c", "exit 3"]],
                    "slow": ["command": ["/bin/sleep", "600"]],
                ])
            try await scene.withDaemon { _ in try await body(scene) }
        }
    }

    @Test("the library is there, since the tests of all three clients are wanted")
    func library() {
        #expect(Programs.hasLibraryPython, "make venv installs it")
    }

    @Test("a request is submitted, its run is waited for, and how it ended is said", arguments: clients)
    func ends(client: Client) async throws {
        try await withTasks { scene in
            let good = try await client.run(scene, "com.example.app.good")
            #expect(good.status == 0, "\(good)")
            #expect(good.output == "Run 1 of com.example.app.good ended: succeeded\n")
            #expect(good.errors == "")
            let bad = try await client.run(scene, "com.example.app.bad")
            #expect(bad.status == 1, "\(bad)")
            #expect(bad.output.hasPrefix("Run 2 of com.example.app.bad ended: failed"))
        }
    }

    @Test("a task that does not run is explained, and one that does not end is left to run", arguments: clients)
    func waits(client: Client) async throws {
        try await withTasks { scene in
            try await scene.ask("pause")
            let held = try await client.run(scene, "com.example.app.good", "0")
            #expect(held.status == 5, "\(held)")
            #expect(held.output == "")
            #expect(held.errors.contains("com.example.app.good waits at the gate paused"), "\(held)")
            try await scene.ask("resume")
            let slow = try await client.run(scene, "com.example.app.slow", "1")
            #expect(slow.status == 5, "\(slow)")
            #expect(slow.output == "")
            #expect(!slow.errors.isEmpty)
            let running = try await scene.ask("running")["runs"].elements
            #expect(running.map { $0["identifier"] } == ["com.example.app.slow"])
        }
    }

    @Test("what the daemon refuses is said in its own sentence", arguments: clients)
    func refused(client: Client) async throws {
        try await withTasks { scene in
            let refused = try await client.run(scene, "com.example.app.god")
            #expect(refused.status == 3, "\(refused)")
            #expect(refused.output == "")
            #expect(refused.errors.contains("did you mean com.example.app.good?"), "\(refused)")
        }
    }

    @Test("without a daemon the socket is named, and wrong arguments show how to use it", arguments: clients)
    func noDaemon(client: Client) async throws {
        try await Scene.with { scene in
            let outcome = try await client.run(scene, "com.example.app.good")
            #expect(outcome.status == 4, "\(outcome)")
            #expect(outcome.errors.contains(scene.socket))
            #expect(outcome.errors.contains("runnerd --foreground"))
            for arguments in [[], ["a", "soon"]] {
                let usage = try await arguments.isEmpty ? client.run(scene) : client.run(scene, "a", "soon")
                #expect(usage.status == 2, "\(usage)")
                #expect(usage.errors.contains("IDENTIFIER [SECONDS]"))
            }
        }
    }

    @Test("the client without dependencies has less than 60 lines")
    func length() throws {
        let file = Programs.examples.appendingPathComponent("scripting/\(Client.python.rawValue)")
        #expect(
            try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false).count
                <= 60)
    }
}
