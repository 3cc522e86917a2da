import Scheduling
import Simulation
import Testing

/// 01, *Order and durability*: a failed commit is a crash in place.
struct StoreFailureTests {
    private let refresh = Fixture.task("refresh")
    private let export = Fixture.task("export")
    private let full = StoreFailure(.full, "The disk is full.")

    @Test("while the store is unavailable nothing starts, and explain says why (B18)")
    func brokenStoresHoldLaunches() {
        var timeline = Timeline()
        timeline.submit(refresh, after: .minutes(1))
        timeline.send(.storeFailed(full))
        timeline.wait(.minutes(5))
        #expect(timeline.closedGates(refresh) == [.storeUnavailable])
        #expect(timeline.scheduler.findings(at: timeline.now).contains { $0.name == "storeUnavailable" })
        timeline.send(.storeRecovered)
        #expect(timeline.launches.count == 1)
    }

    @Test("a submission whose commit failed never happened")
    func uncommittedSubmissionsAreVoid() {
        var timeline = Timeline()
        timeline.submit(refresh, after: .hours(1))
        let before = timeline.pending(refresh)
        _ = timeline.handleWithoutCommit(
            .requestSubmitted(TaskRequest(identifier: refresh), SubmissionOptions(), call: CallIdentifier(99)))
        _ = timeline.handleWithoutCommit(
            .requestSubmitted(TaskRequest(identifier: export), SubmissionOptions(), call: CallIdentifier(98)))
        timeline.reloadFromStore()
        timeline.send(.timePassed)
        #expect(timeline.pending(refresh) == before)
        #expect(timeline.pending(export) == nil)
        #expect(timeline.scheduler.runningCount == 0)
    }

    @Test("a completion whose commit failed is fed again, and the run ends once")
    func factsAreFedAgain() {
        var timeline = Timeline()
        timeline.submit(refresh)
        timeline.enter(refresh)
        let completion = Event.runCompleted(RunIdentifier(1), .succeeded, message: nil, call: nil)
        _ = timeline.handleWithoutCommit(completion)
        timeline.reloadFromStore()
        #expect(timeline.run(refresh)?.state == .running)
        timeline.send(completion)
        #expect(timeline.lastRun(refresh)?.state == .succeeded)
        timeline.send(.handlerReturned(RunIdentifier(1)))
    }

    @Test("an entry whose commit failed still holds, and the budget goes on from it")
    func entriesHold() {
        var timeline = Timeline()
        timeline.submit(refresh)
        _ = timeline.handleWithoutCommit(.handlerEntered(RunIdentifier(1), nil))
        timeline.wait(.seconds(20))
        timeline.reloadFromStore()
        timeline.send(.handlerEntered(RunIdentifier(1), nil))
        #expect(timeline.lastRun(refresh)?.state == .running)
        timeline.wait(.seconds(10))
        #expect(timeline.expirations == [.budget])
    }

    @Test("an expiration handler that was called is not called again (B24)")
    func expirationsAreNotRepeated() {
        var timeline = Timeline()
        timeline.submit(refresh)
        timeline.enter(refresh)
        _ = timeline.handleWithoutCommit(.stopAsked(identifier: refresh, run: nil, call: CallIdentifier(99)))
        timeline.reloadFromStore()
        timeline.wait(.seconds(4))
        #expect(timeline.run(refresh)?.state == .expiring)
        timeline.wait(.seconds(2))
        #expect(timeline.expirations == [.stopped])
        #expect(timeline.lastRun(refresh)?.state == .cancelled)
    }

    @Test("a cancel of a claim whose commit failed is void")
    func uncommittedCancelsAreVoid() {
        var timeline = Timeline()
        timeline.submit(refresh)
        _ = timeline.handleWithoutCommit(.requestCancelled(refresh, by: nil, call: CallIdentifier(99)))
        timeline.reloadFromStore()
        timeline.failStart(refresh)
        #expect(timeline.pending(refresh) != nil)
    }

    @Test("a pause and an override whose commit failed are void")
    func uncommittedWishesAreVoid() {
        var timeline = Timeline()
        _ = timeline.handleWithoutCommit(.paused(app: nil, call: CallIdentifier(99)))
        _ = timeline.handleWithoutCommit(
            .conditionOverridden(.externalPower, .flag(false), lasting: nil, call: CallIdentifier(98)))
        timeline.reloadFromStore()
        timeline.submit(refresh, power: true)
        #expect(timeline.launches.count == 1)
    }

    @Test("recurrences that were armed in a void transaction are armed again")
    func recurrencesAreArmedAgain() {
        let backup = Fixture.tool("backup")
        var timeline = Timeline(apps: [], launched: false)
        timeline.send(.started(Fixture.startFacts()))
        timeline.send(.loadingFinished)
        _ = timeline.handleWithoutCommit(
            .appLoaded(Fixture.commands([Fixture.command("backup", every: .minutes(10))])))
        timeline.reloadFromStore()
        timeline.send(.timePassed)
        #expect(timeline.pending(backup) != nil)
        #expect(timeline.store.requests[backup] == timeline.pending(backup))
        #expect(timeline.store.apps[Fixture.tools]?.lastLaunch != nil)
    }

    @Test("a manifest that waited for a run whose claim is void is taken in")
    func waitingManifestsAreTakenIn() {
        var timeline = Timeline(apps: [Fixture.commands([Fixture.command("report")])])
        let report = Fixture.tool("report")
        _ = timeline.handleWithoutCommit(
            .requestSubmitted(TaskRequest(identifier: report), SubmissionOptions(), call: CallIdentifier(99)))
        _ = timeline.handleWithoutCommit(
            .appLoaded(Fixture.commands([Fixture.command("report"), Fixture.command("backup")], hash: "2")))
        timeline.reloadFromStore()
        #expect(timeline.submit(Fixture.tool("backup"), after: .hours(1)).outcome == .submitted)
    }

    @Test("the end of a drain whose commit failed is said again")
    func drainsAreSaidAgain() {
        var timeline = Timeline()
        let drained = timeline.handleWithoutCommit(.drainBegan(grace: .seconds(10)))
        #expect(drained.contains(.drained))
        timeline.reloadFromStore()
        #expect(timeline.send(.timePassed).contains(.drained))
        #expect(timeline.store.runner.stoppedCleanly)
    }
}
