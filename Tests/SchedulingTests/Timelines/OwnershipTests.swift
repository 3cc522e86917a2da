import Scheduling
import Simulation
import Testing

/// B3: every identifier has one owner, and apps keep to their own.
struct OwnershipTests {
    private let refresh = Fixture.task("refresh")
    private let report = Fixture.tool("report")

    private func twoApps() -> Timeline {
        Timeline(apps: [Fixture.embedded(), Fixture.commands([Fixture.command("report")])])
    }

    @Test("an app cannot submit another app's identifier through its own channel (B3)")
    func foreignSubmissionsAreRefused() {
        var timeline = twoApps()
        let reply = timeline.submit(report, by: Fixture.app)
        #expect(reply.refusal == .notPermitted)
        #expect(reply.message?.contains("com.example.tools") == true)
        #expect(timeline.submit(report, after: .seconds(9), by: Fixture.tools).outcome == .submitted)
    }

    @Test("an app cannot cancel another app's request (B3)")
    func foreignCancelsFindNothing() {
        var timeline = twoApps()
        timeline.submit(report, after: .seconds(60))
        #expect(timeline.cancel(report, by: Fixture.app).cancelled == false)
        #expect(timeline.pending(report) != nil)
    }

    @Test("an app cannot register another app's identifier (B3)")
    func foreignRegistrationsAreRefused() {
        var timeline = Timeline(launched: false)
        timeline.send(.appLoaded(Fixture.embedded()))
        timeline.send(.appLoaded(Fixture.commands([Fixture.command("report")])))
        #expect(timeline.register(report.text, app: Fixture.app).refusal == .notPermitted)
    }

    @Test("an identifier that two apps list stays with the first, until that one goes (B3)")
    func firstAppKeepsAnIdentifier() {
        let shared = Fixture.tool("shared")
        let rival = AppDescription(
            app: AppIdentifier(checked: "com.example.rival"), host: .commands, permitted: [.exact(shared)],
            modes: [.fetch, .processing], tasks: [TaskSettings(identifier: shared, hasCommand: true)])
        var timeline = Timeline(apps: [Fixture.commands([Fixture.command("shared")]), rival])
        #expect(timeline.submit(shared, after: .hours(1)).submission?.request.app == Fixture.tools)
        timeline.send(.appRemoved(Fixture.tools))
        #expect(timeline.pending(shared)?.app == rival.app)
        #expect(timeline.store.requests[shared]?.app == rival.app)
        #expect(timeline.closedGates(shared) == [.earliestBeginDate])
    }

    @Test("an exact entry beats a wildcard, and the longer prefix the shorter (B3)")
    func exactAndLongerEntriesWin() {
        let nested = AppIdentifier(checked: "com.example.app.jobs")
        let nestedApp = AppDescription(
            app: nested, host: .embedded,
            permitted: [.prefix("com.example.app.jobs.fast."), .exact(Fixture.task("jobs.one"))], modes: [.fetch])
        var timeline = Timeline(launched: false)
        timeline.send(.appLoaded(Fixture.embedded()))
        timeline.send(.appLoaded(nestedApp))
        #expect(timeline.register("com.example.app.jobs.one", app: Fixture.app).refusal == .notPermitted)
        #expect(timeline.register("com.example.app.jobs.one", app: nested) == .done)
        #expect(timeline.register("com.example.app.jobs.fast.a", app: nested) == .done)
        #expect(timeline.register("com.example.app.jobs.slow", app: Fixture.app) == .done)
    }
}
