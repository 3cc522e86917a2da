import Scheduling
import Simulation
import Testing

/// What doctor says of apps' processes (04, *Supervision*).
@Suite("Findings about processes")
struct ProcessFindingTests {
    private let refresh = Fixture.task("refresh")
    private let export = Fixture.task("export")

    @Test("doctor finds a process that fails, until a run of it succeeds, and what the app says of it")
    func findsFailures() throws {
        var timeline = Timeline.launchedProcess()
        timeline.submit(refresh)
        timeline.processGone(.code(3))
        let finding = try #require(timeline.finding("processFailed"))
        #expect(finding.severity == .warning && finding.app == Fixture.app)
        #expect(finding.message.contains("failed once: it exited with status 3. It is started again in 2 s"))
        #expect(timeline.scheduler.allApps.first?.failure == "it exited with status 3")
        #expect(timeline.scheduler.allApps.first?.startsAgainAt != nil)
        // The request itself waits for 10 s after a failed start.
        timeline.wait(.seconds(11))
        timeline.launchProcess(["refresh", "export", "upload"])
        timeline.enter(refresh)
        #expect(timeline.finding("processFailed")?.message.hasSuffix("status 3.") == true)
        timeline.complete(refresh, returns: false)
        #expect(timeline.finding("processFailed") == nil)
        #expect(timeline.scheduler.allApps.first?.failure == nil)
    }

    @Test("doctor finds an app in quarantine, with the way out")
    func findsQuarantine() throws {
        var timeline = Timeline.launchedProcess()
        timeline.submit(refresh)
        for failures in 0..<5 {
            #expect(timeline.finding("quarantined") == nil)
            timeline.processGone(.code(3))
            timeline.submit(refresh)
            timeline.wait(.milliseconds(1_100 << failures))
        }
        let finding = try #require(timeline.finding("quarantined"))
        #expect(finding.severity == .error && finding.message.contains("5 failures in 10 min"))
        #expect(finding.fix.contains("runnerctl app resume \(Fixture.app)"))
        #expect(timeline.finding("processFailed") == nil)
        #expect(timeline.scheduler.allApps.first?.failure?.contains("status 3") == true)
        _ = timeline.ask { .quarantineLifted(Fixture.app, call: $0) }
        #expect(timeline.finding("quarantined") == nil)
    }

    @Test("doctor finds a request whose handler its app's process did not register")
    func findsMissingHandlers() throws {
        var timeline = Timeline.launchedProcess()
        timeline.submit(export, after: .hours(2))
        timeline.stopIdleProcess()
        #expect(timeline.finding("handlerMissing") == nil)
        timeline.submit(refresh)
        timeline.launchProcess(["refresh", "upload"])
        let finding = try #require(timeline.finding("handlerMissing"))
        #expect(finding.severity == .error && finding.identifier == export && finding.app == Fixture.app)
        #expect(timeline.finding("stranded") == nil)
    }

    @Test("doctor finds a process of an app that an earlier runner left, while it lives")
    func findsLeftovers() {
        var timeline = Timeline.withProcess()
        timeline.send(.appLeftoverFound(Fixture.app))
        #expect(timeline.finding("leftoverProcess")?.app == Fixture.app)
        timeline.send(.appLeftoverGone(Fixture.app))
        #expect(timeline.finding("leftoverProcess") == nil)
    }

    @Test("a left process is told once, though one of its runs was left with it, and a left command beside it")
    func findsLeftoversOnce() throws {
        let backup = TaskSettings(identifier: export, kind: .processing, hasCommand: true)
        var timeline = Timeline.launchedProcess(Fixture.plugin(tasks: [backup]), handlers: ["refresh"])
        timeline.submit(refresh)
        timeline.enter(refresh)
        timeline.submit(export)
        timeline.enter(export)
        timeline.restart()
        timeline.send(.appLeftoverFound(Fixture.app))
        timeline.send(.leftoverFound(Leftover(try #require(timeline.lastRun(refresh)))))
        let found = timeline.scheduler.findings(at: timeline.now).filter { $0.name == "leftoverProcess" }
        #expect(found.map(\.identifier) == [nil])
        timeline.send(.leftoverFound(Leftover(try #require(timeline.lastRun(export)))))
        let both = timeline.scheduler.findings(at: timeline.now).filter { $0.name == "leftoverProcess" }
        #expect(both.map(\.identifier) == [nil, export])
    }
}
