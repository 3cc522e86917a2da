import Foundation
import Glibc
import Testing

/// A program that imports BackgroundTasks, with its manifest: it stands alone, or `runnerd` hosts it, unchanged.
struct AppProgram: CustomStringConvertible {
    enum Life: String, CaseIterable {
        case alone
        case hosted
    }

    /// The name of the program; its app is `com.example.NAME` without what comes after a hyphen.
    let name: String
    let permitted: [String]

    var description: String { name }
    var app: String { "com.example.\(name.split(separator: "-")[0])" }

    static let scheduler = AppProgram(
        name: "scheduler-app",
        permitted: ["com.example.scheduler.refresh", "com.example.scheduler.clean", "com.example.scheduler.export.*"])
    static let delegate = AppProgram(
        name: "delegate-app", permitted: ["com.example.delegate.refresh", "com.example.delegate.clean"])
    static let swiftUI = AppProgram(
        name: "swiftui-app", permitted: ["com.example.swiftui.refresh", "com.example.swiftui.clean"])

    /// Runs the body while the program does, and `runnerctl` reaches it.
    func live(_ life: Life, in scene: Scene, _ body: (LiveApp) async throws -> Void) async throws {
        switch life {
        case .alone: try await liveAlone(in: scene, body)
        case .hosted: try await liveHosted(in: scene, body)
        }
    }

    // MARK: - Private

    private func liveAlone(in scene: Scene, _ body: (LiveApp) async throws -> Void) async throws {
        let program = try assemble(in: scene, "app", "app/\(name)", keys: [:])
        let places = ["XDG_STATE_HOME": scene.path("state"), "XDG_RUNTIME_DIR": scene.folder.path]
        let command = try OrdinaryUser.command(program, [], environment: places, keepingOutputIn: scene.folder)
        let live = LiveApp(scene: scene, program: self, options: ["--app", app], environment: places)
        do {
            try await scene.wait("the program answers; it says: \(command.errorsSoFar)") {
                try #require(command.process.isRunning, "\(command.errorsSoFar)")
                return try await live.control("status").status == 0
            }
            try await live.waitUntilLaunched()
            try await body(live)
        } catch {
            command.signal(SIGKILL)
            throw error
        }
        #expect(command.process.isRunning, "\(command.errorsSoFar)")
        command.signal(SIGKILL)
        _ = await command.wait()
    }

    private func liveHosted(in scene: Scene, _ body: (LiveApp) async throws -> Void) async throws {
        let bundle = "plugins/\(name).plugin"
        _ = try assemble(
            in: scene, bundle, "\(bundle)/bin/\(name)", keys: ["RunnerPlugin": ["executable": "bin/\(name)"]])
        try await scene.withDaemon { daemon in
            let live = LiveApp(scene: scene, program: self, options: ["--socket", scene.socket], environment: [:])
            try await live.waitUntilLaunched()
            try await body(live)
            daemon.signal(SIGTERM)
            #expect(await daemon.wait().status == 0)
        }
    }

    /// Copies the program beside its `Info.plist`, where `Bundle.main` looks, or where the daemon does.
    private func assemble(
        in scene: Scene, _ folder: String, _ path: String, keys: [String: any Sendable]
    ) throws -> URL {
        let file = URL(fileURLWithPath: scene.path(path))
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        let built = Programs.folder.appendingPathComponent(name)
        // A file that was just written is busy while a process that another test starts has it open; a link is not written.
        do {
            try FileManager.default.linkItem(at: built, to: file)
        } catch {
            try FileManager.default.copyItem(at: built, to: file)
        }
        var manifest: [String: any Sendable] = [
            "CFBundleIdentifier": app, "BGTaskSchedulerPermittedIdentifiers": permitted,
            "UIBackgroundModes": ["fetch", "processing"],
        ]
        manifest.merge(keys) { _, new in new }
        let data = try PropertyListSerialization.data(fromPropertyList: manifest, format: .xml, options: 0)
        try data.write(to: URL(fileURLWithPath: scene.path("\(folder)/Info.plist")))
        return file
    }
}

/// A program that runs, and how `runnerctl` reaches it.
struct LiveApp {
    let scene: Scene
    let program: AppProgram
    let options: [String]
    let environment: [String: String]

    func control(_ arguments: String...) async throws -> Command.Outcome {
        try await scene.run(Programs.runnerctl, options + ["--json"] + arguments, environment: environment)
    }

    /// What people see.
    func text(_ arguments: String...) async throws -> Command.Outcome {
        try await scene.run(Programs.runnerctl, options + arguments, environment: environment)
    }

    func start(_ arguments: String...) throws -> Command {
        try Command(Programs.runnerctl, options + arguments, environment: environment, keepingOutputIn: scene.folder)
    }

    func waitUntilLaunched() async throws {
        try await scene.wait("\(program) is launched") {
            try await control("apps").json["apps"][0]["state"] == "launched"
        }
    }

    func pending() async throws -> [JSONNode] {
        try await control("pending").json["requests"].elements
    }

    /// The run of a task that has not ended.
    func running(_ identifier: String) async throws -> JSONNode? {
        try await control("running").json["runs"].elements.first { $0["identifier"] == .string(identifier) }
    }

    func ended(_ identifier: String) async throws -> JSONNode {
        var run = JSONNode.null
        try await scene.wait("a run of \(identifier) ends") {
            run = try await control("history", "--identifier", identifier, "--limit", "1").json["runs"][0]
            return !run["endedAt"].isNull
        }
        return run
    }
}
