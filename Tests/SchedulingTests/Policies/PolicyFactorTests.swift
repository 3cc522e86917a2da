import Scheduling
import Testing

/// What single factors of the policies do beside each other.
@Suite("Factors of the policies (B20)")
struct PolicyFactorTests {
    private let refresh = Fixture.task("refresh")
    private let export = Fixture.task("export")

    private static func timeline(
        _ policy: Policy, idle: Bool, apps: [AppDescription] = [Fixture.embedded()]
    ) -> Timeline {
        var timeline = Timeline(policy: policy, apps: apps)
        timeline.report(.externalPower, .flag(false))
        timeline.report(.unlocked, .flag(true))
        timeline.report(.idle, .flag(idle))
        return timeline
    }

    private static func apple(_ change: (inout AppleParameters) -> Void = { _ in }) -> Policy {
        var parameters = AppleParameters()
        parameters.windows = .given
        change(&parameters)
        return .apple(parameters)
    }

    // MARK: - Apple's

    @Test("refreshes of apps that became due at different times go together in one window")
    func wakesAreShared() {
        let sync = Fixture.tool("sync")
        var timeline = Self.timeline(
            Self.apple(), idle: true,
            apps: [Fixture.embedded(), Fixture.commands([Fixture.command("sync", kind: .appRefresh)])])
        timeline.submit(refresh, after: .minutes(15))
        timeline.submit(sync, after: .minutes(40))
        timeline.wait(.hours(1))
        #expect(timeline.launches.isEmpty)
        timeline.send(.windowOpened(lasting: .minutes(2)))
        #expect(Set(timeline.launches.map(\.identifier)) == [refresh, sync])
    }

    @Test("the rate of an app's refreshes holds no processing of it, and the other way round")
    func ratesAreByKind() {
        let upload = Fixture.task("upload")
        var timeline = Self.timeline(Self.apple(), idle: true)
        timeline.send(.windowOpened(lasting: .minutes(9)))
        timeline.submit(refresh)
        timeline.finish(refresh)
        timeline.submit(refresh)
        #expect(timeline.closedGates(refresh) == [.rateLimit])
        timeline.submit(export)
        timeline.finish(export)
        timeline.submit(upload)
        #expect(timeline.closedGates(upload) == [.rateLimit])
        // The time between two is about two hours for processing, and more for refresh.
        timeline.wait(.minutes(130))
        #expect(timeline.run(upload) != nil)
        timeline.send(.windowOpened(lasting: .minutes(9)))
        #expect(timeline.closedGates(refresh) == [.rateLimit])
    }

    @Test("work that costs more uses its app's budget up sooner", arguments: [(1, true), (3, false)])
    func workHasACost(cost: Int, runsAgain: Bool) {
        var settings = TaskSettings(identifier: export, kind: .processing)
        settings.cost = Double(cost)
        let policy = Self.apple {
            $0.energyPerDay = .minutes(8)
            $0.processingInterval = .zero
        }
        var timeline = Self.timeline(policy, idle: true, apps: [Fixture.embedded(tasks: [settings])])
        timeline.submit(export)
        timeline.enter(export)
        timeline.wait(.minutes(3))
        timeline.complete(export)
        timeline.submit(export)
        #expect((timeline.run(export) != nil) == runsAgain)
        #expect(timeline.closedGates(export) == (runsAgain ? [] : [.budget]))
    }

    @Test("each misbehaviour doubles the time to the next launch")
    func misbehaviourDoubles() {
        // An hour and ten minutes between refreshes.
        var timeline = Self.timeline(Self.apple { $0.newAppOpensPerDay = 24 }, idle: false)
        func misbehave() {
            timeline.enter(refresh)
            let run = timeline.run(refresh)?.run ?? RunIdentifier(0)
            timeline.wait(.seconds(36))
            timeline.send(.handlerReturned(run))
            timeline.submit(refresh)
        }
        func isHeld(after time: Duration) -> Bool {
            timeline.wait(time)
            timeline.send(.windowOpened(lasting: .minutes(2)))
            return timeline.closedGates(refresh) == [.misbehaviour]
        }
        timeline.submit(refresh)
        timeline.send(.windowOpened(lasting: .minutes(2)))
        misbehave()
        #expect(isHeld(after: .hours(2)))
        #expect(!isHeld(after: .minutes(30)))
        misbehave()
        #expect(isHeld(after: .hours(4)))
        #expect(!isHeld(after: .minutes(75)))
        #expect(timeline.run(refresh) != nil)
    }

    // MARK: - Those of Doze

    @Test("what became due at different times goes together in one maintenance window")
    func maintenanceIsShared() {
        var timeline = Self.timeline(.doze(), idle: true)
        timeline.submit(refresh, after: .minutes(10))
        timeline.submit(export, after: .minutes(40))
        timeline.wait(.minutes(59))
        #expect(timeline.launches.isEmpty)
        timeline.wait(.minutes(1))
        #expect(Set(timeline.launches.map(\.identifier)) == [refresh, export])
    }

    @Test(
        "expedited work may take 30, 15, 10, 10 or 5 minutes a day, by how recently its app was opened",
        arguments: [(1, 30), (18, 15), (26, 10), (24 * 10, 10), (24 * 50, 5)])
    func expeditedQuotas(openedHoursAgo: Int, minutes: Int) {
        let job = Fixture.task("jobs.a")
        var timeline = Self.timeline(.doze(), idle: false)
        timeline.send(.appOpened(Fixture.app, call: CallIdentifier(0)))
        timeline.wait(.hours(openedHoursAgo))
        timeline.register(job.text, kind: .continuedProcessing)
        timeline.submit(job, kind: .continuedProcessing, title: "Export", strategy: .fail)
        #expect(timeline.launches.last?.budget == .minutes(minutes))
    }

    @Test("charging gives an app that was not opened for days the network at once")
    func chargingLiftsIdleNetwork() {
        var timeline = Self.timeline(.doze(), idle: false)
        timeline.send(.appOpened(Fixture.app, call: CallIdentifier(0)))
        timeline.wait(.days(4))
        timeline.submit(refresh, network: true)
        timeline.finish(refresh)
        timeline.submit(refresh, network: true)
        #expect(timeline.closedGates(refresh) == [.usage])
        timeline.report(.externalPower, .flag(true))
        #expect(timeline.run(refresh) != nil)
    }
}
