import Foundation
import Glibc
import Testing

/// What the daemon says of an app of the zoo, by the name of its bundle.
extension ZooScene {
    func app(_ name: String) async throws -> JSONNode {
        let apps = try await scene.ask("apps")["apps"].elements
        return try #require(apps.first { $0["app"] == .string("com.example.\(name)") })
    }

    /// The number of its process; nil when it has none.
    func process(of name: String) async throws -> Int32? {
        try await app(name)["process"].integer.map(Int32.init)
    }

    func wait(for name: String, toBe state: String) async throws {
        try await scene.wait("\(name) is \(state)") { try await app(name)["state"] == .string(state) }
    }

    func gate(_ gate: String, of identifier: String) async throws -> JSONNode {
        let explained = try await scene.ask("explain", ["identifier": .string(identifier)])
        return explained["gates"].elements.first { $0["gate"] == .string(gate) } ?? .null
    }

    func isPending(_ identifier: String) async throws -> Bool {
        try await scene.ask("pending")["requests"].elements.contains { $0["identifier"] == .string(identifier) }
    }

    /// Submits a request that does not become due while the test runs, or one that is due at once.
    func submit(_ identifier: String, isDue: Bool = false) async throws {
        var params: [String: JSONNode] = ["identifier": .string(identifier), "kind": "processing"]
        if !isDue { params["earliestBeginDate"] = "2190-01-02T03:04:05Z" }
        try await scene.ask("submit", .object(params))
    }

    /// Launches what is pending, or what is submitted for it, and waits for its end.
    func launch(_ identifier: String, submit: Bool = false) async throws -> JSONNode {
        try await scene.ask(
            "simulateLaunch",
            ["identifier": .string(identifier), "submit": .bool(submit), "wait": true, "timeoutSeconds": 15])["run"]
    }

    /// Changes the program of a bundle, as an update would, and has the daemon see it.
    func update(_ name: String) async throws {
        let path = "plugins/\(name).plugin/bin/plugin"
        try scene.write(scene.text(path) + "\n", to: path)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: scene.path(path))
        try await scene.ask("reload")
    }

    /// Kills a process that was started from a bundle here; false when it is none, or is gone.
    @discardableResult
    func kill(_ process: Int32, of bundle: String) -> Bool {
        let words = (try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)) ?? ""
        guard words.contains(scene.path("plugins/\(bundle).plugin/")) else { return false }
        return Glibc.kill(process, SIGKILL) == 0
    }

    /// How often a bundle that counts its starts was started.
    func starts(of name: String) -> Int {
        scene.lines("plugins/\(name).plugin/starts").count
    }

    /// The options of a daemon that stops idle processes after so long.
    func stoppingIdle(after time: String) throws -> [String] {
        try scene.write(#"{"idleStop": "\#(time)"}"#, to: "runner.json")
        return ["--config", scene.path("runner.json")]
    }
}
