import Scheduling
import Simulation
import Testing

@Suite("The policy doze (B20)")
struct DozePolicyTests {
    private let refresh = Fixture.task("refresh")
    private let export = Fixture.task("export")

    private static func timeline(
        idle: Bool = true, power: Bool = false, apps: [AppDescription] = [Fixture.embedded()],
        _ change: (inout DozeParameters) -> Void = { _ in }
    ) -> Timeline {
        var parameters = DozeParameters()
        change(&parameters)
        var timeline = Timeline(policy: .doze(parameters), apps: apps)
        timeline.report(.externalPower, .flag(power))
        timeline.report(.idle, .flag(idle))
        return timeline
    }

    @Test("work goes at once while the device is used or charges", arguments: [(false, false), (true, true)])
    func noWindowIsNeeded(idle: Bool, power: Bool) {
        var timeline = Self.timeline(idle: idle, power: power)
        timeline.submit(refresh)
        timeline.submit(export)
        #expect(Set(timeline.launches.map(\.identifier)) == [refresh, export])
    }

    @Test("maintenance windows come 60 minutes after the device went idle, then after 2, 4, 6 and 6 hours")
    func windowsGrowApart() {
        var timeline = Self.timeline()
        let begun = timeline.now.boot
        var starts: [Int64] = []
        timeline.submit(refresh)
        for _ in 0..<(24 * 60) {
            timeline.wait(.minutes(1))
            if timeline.run(refresh) != nil {
                starts.append(begun.duration(to: timeline.now.boot).wholeMilliseconds / 60_000)
                timeline.finish(refresh)
                timeline.submit(refresh, after: .minutes(20))
            }
        }
        #expect(starts == [60, 180, 420, 780, 1_140])
    }

    @Test("a window is 5 to 10 minutes long, and what it let begin ends with it", arguments: [1, 2, 3, 4])
    func windowsEndRuns(seed: UInt64) {
        var timeline = Self.timeline { $0.seed = seed }
        timeline.submit(export)
        timeline.wait(.minutes(60))
        timeline.enter(export)
        timeline.wait(.minutes(4) + .seconds(59))
        #expect(timeline.run(export)?.state == .running)
        timeline.wait(.minutes(5) + .seconds(2))
        #expect(timeline.run(export)?.expirationReason == .conditionLost || timeline.lastRun(export)?.state == .expired)
    }

    @Test("what waits goes when the device is picked up")
    func useEndsDoze() {
        var timeline = Self.timeline()
        timeline.submit(refresh)
        timeline.wait(.minutes(30))
        #expect(timeline.closedGates(refresh) == [.window])
        timeline.report(.idle, .flag(false))
        #expect(timeline.launches.map(\.identifier) == [refresh])
    }

    @Test("a device of which nobody knows whether it is idle holds (B19)")
    func unknownHolds() {
        var timeline = Self.timeline(idle: false)
        timeline.send(.sourceLost("kernel"))
        timeline.wait(.minutes(2))
        timeline.submit(refresh)
        #expect(timeline.launches.isEmpty)
    }

    @Test(
        "an app's runs may take 10 minutes in 4, 12 or 24 hours, by how recently it was opened",
        arguments: [(18, 4), (26, 12), (24 * 10, 24)])
    func quotas(openedHoursAgo: Int, span: Int) {
        var timeline = Self.timeline(idle: false)
        timeline.send(.appOpened(Fixture.app, call: CallIdentifier(0)))
        timeline.wait(.hours(openedHoursAgo))
        timeline.submit(export)
        timeline.enter(export)
        timeline.wait(.minutes(10) + .seconds(6))
        let run = timeline.lastRun(export)
        #expect(run?.expirationReason == .budget)
        timeline.send(.handlerReturned(run?.run ?? RunIdentifier(0)))
        timeline.submit(export)
        #expect(timeline.closedGates(export) == [.budget])
        let words = timeline.scheduler.explain(export, at: timeline.now).summary
        #expect(words.contains("has used its 10 min of run time within \(Duration.hours(span).words)"), "\(words)")
        timeline.wait(.hours(span) - .minutes(1))
        #expect(timeline.launches.count == 1)
        timeline.wait(.minutes(2))
        #expect(timeline.launches.count == 2)
    }

    @Test("an app in use has no quota, and charging lifts it")
    func quotasAreLifted() {
        var timeline = Self.timeline(idle: false)
        timeline.wait(.hours(1))
        timeline.submit(export)
        timeline.enter(export)
        timeline.wait(.minutes(9) + .seconds(59))
        timeline.complete(export)
        // What is left of the quota is what the next run may take.
        timeline.submit(export)
        #expect(timeline.launches.last?.budget == .seconds(1))
        timeline.enter(export)
        timeline.wait(.seconds(1))
        timeline.complete(export, .failed)
        timeline.submit(export)
        #expect(timeline.closedGates(export) == [.budget])
        timeline.report(.externalPower, .flag(true))
        #expect(timeline.launches.count == 3)
        timeline.finish(export)
        timeline.report(.externalPower, .flag(false))
        timeline.send(.appOpened(Fixture.app, call: CallIdentifier(0)))
        timeline.submit(export)
        #expect(timeline.launches.count == 4)
    }

    @Test("expedited work has a quota of its own: used up, it is not started at once")
    func expeditedQuota() {
        var timeline = Self.timeline(idle: false)
        timeline.send(.appOpened(Fixture.app, call: CallIdentifier(0)))
        let job = Fixture.task("jobs.a")
        timeline.register(job.text, kind: .continuedProcessing)
        timeline.submit(job, kind: .continuedProcessing, title: "Export", strategy: .fail)
        #expect(timeline.launches.last?.budget == .minutes(30))
        timeline.enter(job)
        // Its progress goes on, so that only the quota ends it.
        for step in 1...90 {
            timeline.wait(.seconds(20))
            guard let run = timeline.run(job) else { break }
            timeline.send(.progressed(run.run, RunProgress(fraction: Double(step) / 100)))
        }
        timeline.wait(.minutes(1))
        let run = timeline.lastRun(job)
        #expect(run?.expirationReason == .budget)
        timeline.send(.handlerReturned(run?.run ?? RunIdentifier(0)))
        let reply = timeline.submit(job, kind: .continuedProcessing, title: "Export", strategy: .fail)
        #expect(reply.refusal == .immediateRunIneligible)
    }

    @Test("an app that was not opened for days gets the network about once a day")
    func idleAppsGetTheNetworkOnceADay() {
        var timeline = Self.timeline(idle: false)
        timeline.send(.appOpened(Fixture.app, call: CallIdentifier(0)))
        timeline.wait(.days(4))
        timeline.submit(refresh, network: true)
        timeline.finish(refresh)
        timeline.submit(refresh, network: true)
        #expect(timeline.closedGates(refresh) == [.usage])
        timeline.submit(export)
        #expect(timeline.run(export) != nil)
        timeline.wait(.hours(23))
        #expect(timeline.run(refresh) == nil)
        timeline.wait(.hours(1))
        #expect(timeline.run(refresh) != nil)
    }

    @Test("a period below 15 minutes is taken as 15, and that is said; runs keep to the end of their periods")
    func periodsAreClamped() {
        let tool = Fixture.tool("sync")
        var timeline = Self.timeline(
            idle: false, apps: [Fixture.commands([Fixture.command("sync", every: .minutes(5))])])
        timeline.send(.appOpened(Fixture.tools, call: CallIdentifier(0)))
        let said = timeline.effects.contains {
            if case .publish(.diagnostic(let diagnostic)) = $0 { diagnostic.name == .periodClamped } else { false }
        }
        #expect(said)
        var starts: [Int64] = []
        let begun = timeline.now.wall
        for _ in 0..<120 {
            timeline.wait(.seconds(30))
            guard let run = timeline.run(tool), run.state == .starting else { continue }
            starts.append(begun.duration(to: timeline.now.wall).wholeMilliseconds / 1_000)
            timeline.enter(tool)
            timeline.send(.processExited(run.run, .code(0)))
        }
        #expect(starts == [60, 960, 1_860, 2_760])
    }

    @Test("a run that comes late is that of its period: the next one is not early")
    func lateRunsMoveNothing() {
        let tool = Fixture.tool("sync")
        var timeline = Self.timeline(
            idle: false, apps: [Fixture.commands([Fixture.command("sync", every: .hours(1))])])
        timeline.send(.paused(app: Fixture.tools, call: CallIdentifier(0)))
        timeline.wait(.minutes(150))
        timeline.send(.resumed(app: Fixture.tools, call: CallIdentifier(0)))
        let run = timeline.run(tool)
        timeline.enter(tool)
        timeline.send(.processExited(run?.run ?? RunIdentifier(0), .code(0)))
        timeline.wait(.minutes(30))
        #expect(timeline.run(tool) == nil)
        timeline.wait(.minutes(61))
        #expect(timeline.run(tool) != nil)
    }

    @Test("retries back off from 30 s, doubling to 5 hours")
    func retriesBackOff() {
        let tool = Fixture.tool("sync")
        var timeline = Self.timeline(
            idle: false, power: true,
            apps: [Fixture.commands([Fixture.command("sync", every: .days(9), retries: true)])])
        timeline.wait(.minutes(2))
        var waits: [Int64] = []
        for _ in 0..<13 {
            guard let run = timeline.run(tool) else { break }
            timeline.enter(tool)
            timeline.send(.processExited(run.run, .code(1)))
            let begun = timeline.now.boot
            for _ in 0..<100_000 where timeline.run(tool) == nil { timeline.wait(.seconds(10)) }
            waits.append(begun.duration(to: timeline.now.boot).wholeMilliseconds / 1_000)
        }
        #expect(waits == [30, 60, 120, 240, 480, 960, 1_920, 3_840, 7_680, 15_360, 18_000, 18_000, 18_000])
    }
}
