import Foundation
import Testing

/// A temporary folder with all that a daemon needs, for one test; it goes with everything in it.
final class Scene: Sendable {
    let folder: URL
    let socket: String
    /// A folder of bundles, empty at first.
    let plugins: URL
    let state: URL

    /// Runs a test in a scene of its own.
    static func with(_ body: (Scene) async throws -> Void) async throws {
        let scene = try Scene()
        defer { scene.remove() }
        try await body(scene)
    }

    private init() throws {
        // Short, because the path of a socket must be.
        let template = FileManager.default.temporaryDirectory.path
        folder = URL(fileURLWithPath: "\(template)/e2e-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        socket = folder.appendingPathComponent("control.sock").path
        plugins = folder.appendingPathComponent("plugins")
        state = folder.appendingPathComponent("state")
        try FileManager.default.createDirectory(at: plugins, withIntermediateDirectories: true)
    }

    private func remove() {
        try? FileManager.default.removeItem(at: folder)
    }

    // MARK: - Files

    func path(_ name: String) -> String {
        folder.appendingPathComponent(name).path
    }

    func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: path(name))
    }

    func text(_ name: String) -> String {
        (try? String(contentsOfFile: path(name), encoding: .utf8)) ?? ""
    }

    func lines(_ name: String) -> [Substring] {
        text(name).split(separator: "\n")
    }

    func write(_ text: String, to name: String) throws {
        let file = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
    }

    func names(in name: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path(name))) ?? []).sorted()
    }

    /// Writes a bundle of commands: `com.example.NAME` with tasks `com.example.NAME.TASK`.
    func writeBundle(_ name: String, tasks: [String: JSONNode], modes: [JSONNode] = ["fetch", "processing"]) throws {
        let app = "com.example.\(name)"
        let members = tasks.map { ("\(app).\($0.key)", $0.value) }
        let manifest: JSONNode = [
            "CFBundleIdentifier": .string(app),
            "BGTaskSchedulerPermittedIdentifiers": .array(members.map { .string($0.0) }),
            "UIBackgroundModes": .array(modes),
            "RunnerTasks": .object(Dictionary(uniqueKeysWithValues: members)),
        ]
        let text = String(decoding: try JSONEncoder().encode(manifest), as: UTF8.self)
        try write(text, to: "plugins/\(name).plugin/Info.json")
    }

    // MARK: - Programs

    /// Runs a program to its end.
    @discardableResult
    func run(_ program: URL, _ arguments: [String], environment: [String: String] = [:]) async throws
        -> Command.Outcome
    {
        try await Command(program, arguments, environment: environment, keepingOutputIn: folder).wait()
    }

    /// Runs `runnerctl` as a person would, with the daemon's socket in the environment.
    @discardableResult
    func control(_ arguments: String...) async throws -> Command.Outcome {
        try await control(arguments)
    }

    @discardableResult
    func control(_ arguments: [String]) async throws -> Command.Outcome {
        let outcome = try await run(
            Programs.runnerctl, arguments, environment: ["RUNNER_SOCKET": socket, "TZ": "UTC"])
        ReplyRecording.keep(outcome, of: arguments)
        return outcome
    }

    /// Starts `runnerctl` and lets it run.
    func startControl(_ arguments: String...) throws -> Command {
        try Command(
            Programs.runnerctl, arguments, environment: ["RUNNER_SOCKET": socket, "TZ": "UTC"],
            keepingOutputIn: folder)
    }

    /// Calls a method through the Python client: `{result}` or `{error}`.
    func call(_ method: String, _ params: JSONNode = [:]) async throws -> JSONNode {
        let text = String(decoding: try JSONEncoder().encode(params), as: UTF8.self)
        let outcome = try await run(Programs.python, [Programs.script("runner_client.py").path, socket, method, text])
        try #require(outcome.status == 0, "\(method): \(outcome.errors)")
        return outcome.json
    }

    /// The result of a method that must not fail.
    @discardableResult
    func ask(_ method: String, _ params: JSONNode = [:]) async throws -> JSONNode {
        let reply = try await call(method, params)
        try #require(reply["error"].isNull, "\(method) failed: \(reply["error"])")
        return reply["result"]
    }

    /// Starts a daemon here, waits until it listens, and ends it after the body if that has not.
    func withDaemon(
        plugins: [URL]? = nil, options: [String] = [], environment: [String: String] = [:], by starter: [String] = [],
        _ body: (Command) async throws -> Void
    ) async throws {
        let daemon = try startDaemon(plugins: plugins, options: options, environment: environment, by: starter)
        do {
            try await waitUntilListening(daemon)
            try await body(daemon)
        } catch {
            await end(daemon)
            throw error
        }
        await end(daemon)
    }

    /// - Parameter starter: a program with arguments, which becomes the program that is named behind them.
    func startDaemon(
        plugins: [URL]? = nil, options: [String] = [], environment: [String: String] = [:], by starter: [String] = []
    ) throws -> Command {
        let line = starter + [Programs.runnerd.path]
        var arguments = Array(line.dropFirst())
        arguments += ["--foreground", "--log", "debug", "--state", state.path, "--socket", socket]
        for folder in plugins ?? [self.plugins] { arguments += ["--plugins", folder.path] }
        return try Command(
            URL(fileURLWithPath: line[0]), arguments + options, environment: environment, keepingOutputIn: folder)
    }

    func waitUntilListening(_ daemon: Command) async throws {
        try await wait("the daemon listens; it says: \(daemon.errorsSoFar)") {
            try #require(daemon.process.isRunning, "the daemon has ended: \(daemon.errorsSoFar)")
            return daemon.errorsSoFar.contains("listens at")
        }
    }

    private func end(_ daemon: Command) async {
        daemon.signal(SIGKILL)
        _ = await daemon.wait()
    }

    // MARK: - Waiting

    /// Waits until something is so, and fails when it takes too long.
    func wait(_ what: @autoclosure () -> String, until condition: () async throws -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(20)
        while try await !condition() {
            try #require(ContinuousClock.now < deadline, "waited in vain until \(what())")
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// The newest ended run of a task, once there is one.
    func lastRun(of identifier: String, since run: Int = 0) async throws -> JSONNode {
        var newest = JSONNode.null
        try await wait("a run of \(identifier) ends") {
            newest = try await ask("history", ["identifier": .string(identifier), "limit": 1])["runs"][0]
            return (newest["run"].integer ?? 0) > run && !newest["endedAt"].isNull
        }
        return newest
    }
}
