import Glibc
import Platform
import Scheduling
import TestSupport
import Testing

@testable import Hosting
@testable import Plugins
@testable import Runner

@Suite("Bundles that come, change and go", .timeLimit(.minutes(1)))
struct BundleHostingTests {
    private let plugins = TemporaryFolder()

    /// Writes a bundle of two tasks; `word` is what they print.
    private func write(_ word: String, waitingFor file: String? = nil) throws {
        let wait = file.map { #"echo '{\"fraction\": 0}' >&3; while [ ! -e \#($0) ]; do sleep 0.01; done; "# } ?? ""
        try plugins.write(
            """
            {
                "CFBundleIdentifier": "com.example.shell",
                "BGTaskSchedulerPermittedIdentifiers": ["com.example.shell.a", "com.example.shell.b"],
                "UIBackgroundModes": ["processing"],
                "RunnerTasks": {
                    "com.example.shell.a": {"command": ["/bin/sh", "-c", "\(wait)echo a-\(word)"], "kind": "processing"},
                    "com.example.shell.b": {"command": ["/bin/sh", "-c", "echo b-\(word)"], "kind": "processing"}
                }
            }
            """, to: "shell.plugin/Info.json")
    }

    /// An engine with the bundles of the folder.
    private func hosting(_ folders: [String]? = nil, optional: [String] = []) async throws -> HostingFixture {
        let fixture = try HostingFixture()
        let folders = folders ?? [plugins.path]
        await fixture.with { commands, engine in
            let loader = BundleLoader(
                folders: folders, trust: true, daemonUser: ProcessEnvironment.effectiveUser,
                searchPath: "/usr/bin:/bin")
            engine.setDirectory(
                BundleHosting(
                    loader: loader, optionalFolders: optional, host: commands.bundles, output: commands.output))
        }
        await fixture.engine.reload()
        return fixture
    }

    private func texts(_ fixture: HostingFixture, _ run: RunRecord) async -> [String] {
        await fixture.lines(run).map(\.text)
    }

    @Test("of a manifest with very many mistakes ten are told, and the others are counted")
    func manyMistakes() async throws {
        let tasks = (0..<500).map { #""com.example.shell.t\#($0)": {"comand": ["/bin/true"]}"# }
        try plugins.write(
            """
            {
                "CFBundleIdentifier": "com.example.shell", "BGTaskSchedulerPermittedIdentifiers": ["com.example.shell.*"],
                "UIBackgroundModes": ["fetch"], "RunnerTasks": {\(tasks.joined(separator: ","))}
            }
            """, to: "shell.plugin/Info.json")
        let fixture = try await hosting()
        let findings = await fixture.engine.findings()
        #expect(findings.count { $0.message.contains(".comand") } == 10, "\(findings.prefix(20))")
        #expect(findings.contains { $0.message == "There are 490 more like these." })
    }

    @Test("a new bundle is there after a reload, and its commands run")
    func new() async throws {
        let fixture = try await hosting()
        #expect(await fixture.engine.scheduler.registeredCount == 0)
        try write("one")
        await fixture.engine.reload()
        await fixture.submit("a")
        let run = await fixture.notices.ended()
        #expect(await texts(fixture, run) == ["a-one"])
        #expect(await fixture.engine.bundlePath == plugins.file("shell.plugin"))
    }

    @Test("a bundle that changes while it runs is switched after the run; until then it goes by the old one (B42)")
    func changed() async throws {
        let folder = TemporaryFolder()
        try write("one", waitingFor: folder.file("go"))
        let fixture = try await hosting()
        await fixture.submit("a")
        await fixture.notices.progress(0)
        try write("two, longer")
        await fixture.engine.reload()
        // What starts although the new manifest waits goes by the old one.
        let b = HostingFixture.identifier("b")
        _ = await fixture.engine.answer { .launchSimulated(b, SimulationOptions(submit: true), call: $0) }
        #expect(await texts(fixture, await fixture.notices.ended(1)) == ["b-one"])
        await fixture.submit("b")
        #expect(await fixture.engine.scheduler.pending(b) != nil)
        try folder.write("", to: "go")
        #expect(await texts(fixture, await fixture.notices.ended(2)) == ["a-one"])
        #expect(await texts(fixture, await fixture.notices.ended(3)) == ["b-two, longer"])
        await fixture.submit("a")
        #expect(await texts(fixture, await fixture.notices.ended(4)) == ["a-two, longer"])
    }

    @Test("a bundle that is gone leaves its requests under appMissing; when it is back they run (B42)")
    func gone() async throws {
        try write("one")
        let fixture = try await hosting()
        let identifier = HostingFixture.identifier("a")
        let floor = WallTime(milliseconds: SystemClock.milliseconds(.wall) + 3_600_000)
        _ = await fixture.engine.answer {
            .requestSubmitted(TaskRequest(identifier: identifier, floor: floor), SubmissionOptions(), call: $0)
        }
        try plugins.remove("shell.plugin")
        await fixture.engine.reload()
        #expect(await fixture.engine.gate(.appMissing, of: identifier)?.verdict == .closed)
        #expect(await fixture.engine.bundlePath == nil)
        try write("back")
        await fixture.engine.reload()
        #expect(await fixture.engine.gate(.appMissing, of: identifier)?.verdict != .closed)
        #expect(await fixture.engine.scheduler.pending(identifier)?.floor == floor)
        await fixture.submit("a")
        #expect(await texts(fixture, await fixture.notices.ended()) == ["a-back"])
    }

    @Test("a bundle that goes while it runs is let finish")
    func goneWhileRunning() async throws {
        let folder = TemporaryFolder()
        try write("one", waitingFor: folder.file("go"))
        let fixture = try await hosting()
        await fixture.submit("a")
        await fixture.notices.progress(0)
        try plugins.remove("shell.plugin")
        await fixture.engine.reload()
        #expect(await fixture.engine.scheduler.runningCount == 1)
        try folder.write("", to: "go")
        let run = await fixture.notices.ended()
        #expect(run.state == .succeeded)
        #expect(await texts(fixture, run) == ["a-one"])
        #expect(await fixture.engine.scheduler.registeredCount == 0)
    }

    @Test("nothing changes at a reload when no file did")
    func unchanged() async throws {
        try write("one")
        let fixture = try await hosting()
        let before = fixture.notices.all.count
        await fixture.engine.reload()
        #expect(fixture.notices.all.count == before)
    }

    @Test("what is wrong with a bundle is a finding that names its app, and stops no other")
    func findings() async throws {
        try write("one")
        try plugins.write(
            """
            {
                "CFBundleIdentifier": "com.example.broken",
                "BGTaskSchedulerPermittedIdentifiers": ["com.example.shell.a"],
                "RunnerTasks": {"com.example.shell.a": {"command": ["/bin/true"]}}
            }
            """, to: "zbroken.plugin/Info.json")
        let fixture = try await hosting(
            [plugins.path, plugins.file("absent"), plugins.file("missing")], optional: [plugins.file("absent")])
        let findings = await fixture.engine.bundleFindings
        #expect(findings.contains { $0.severity == .error && $0.app?.text == "com.example.broken" })
        #expect(findings.contains { $0.message.contains(plugins.file("missing")) })
        #expect(!findings.contains { $0.message.contains(plugins.file("absent")) })
        await fixture.submit("a")
        #expect(await fixture.notices.ended().state == .succeeded)
    }
}

extension Engine {
    fileprivate var bundlePath: String? { directory?.bundlePath(of: HostingFixture.app) }
    fileprivate var bundleFindings: [Finding] { directory?.findings ?? [] }
}
