import Scheduling
import Simulation
import Testing

/// B29: work that a person started.
struct ContinuedProcessingTests {
    private let render = Fixture.task("jobs.render")
    private let refresh = Fixture.task("refresh")

    private func prepared(concurrency: Int = 1) -> Timeline {
        var policy = Policy.prompt
        policy.concurrency = concurrency
        var timeline = Timeline(policy: policy)
        timeline.register(render.text, kind: .continuedProcessing)
        return timeline
    }

    @Test("it starts at once, whatever its floor, and has no budget (B29)")
    func startsAtOnce() {
        var timeline = prepared()
        #expect(timeline.submit(render, after: .hours(5), title: "Render", strategy: .fail).outcome == .submitted)
        #expect(timeline.launches.map(\.title) == ["Render"])
        #expect(timeline.launches.first?.budget == nil)
    }

    @Test("with the strategy fail it is refused when it cannot start now, and leaves what was pending (B29)")
    func failsWhenItCannotStart() {
        var timeline = prepared()
        timeline.submit(refresh)
        timeline.submit(render, title: "Old", strategy: .queue)
        let reply = timeline.submit(render, title: "New", strategy: .fail)
        #expect(reply.refusal == .immediateRunIneligible)
        #expect(reply.message?.contains("concurrency") == true)
        #expect(timeline.pending(render)?.title == "Old")
    }

    @Test("with the strategy fail it is refused for a condition that it needs itself (B29)")
    func failsForItsOwnConditions() {
        var timeline = prepared()
        timeline.report(.network, .network(.none))
        #expect(
            timeline.submit(render, network: true, title: "Render", strategy: .fail).refusal == .immediateRunIneligible)
        #expect(timeline.submit(render, title: "Render", strategy: .fail).outcome == .submitted)
    }

    @Test("with the strategy queue it waits for a slot, in the order of submission (B29)")
    func waitsForASlot() {
        var timeline = prepared()
        timeline.submit(refresh)
        timeline.submit(render, after: .hours(5), title: "Render")
        #expect(timeline.closedGates(render) == [.concurrency])
        timeline.finish(refresh)
        #expect(timeline.launches.map(\.identifier) == [refresh, render])
    }

    @Test("it needs a title, and only it has a strategy (B29)")
    func titlesAreNeeded() {
        var timeline = prepared()
        #expect(timeline.submit(render).refusal == .invalidParams)
        #expect(timeline.submit(render, title: "").refusal == .invalidParams)
        #expect(timeline.submit(refresh, strategy: .queue).refusal == .invalidParams)
    }

    @Test("it is stalled after 30 s without a change in progress (B29)")
    func stallsWithoutProgress() {
        var timeline = prepared()
        timeline.submit(render, title: "Render")
        timeline.enter(render)
        for step in 1...10 {
            timeline.wait(.seconds(29))
            timeline.send(.progressed(RunIdentifier(1), RunProgress(fraction: Double(step) / 10)))
        }
        timeline.wait(.seconds(15))
        timeline.send(.progressed(RunIdentifier(1), RunProgress(fraction: 1, title: "Still there")))
        timeline.wait(.milliseconds(14_999))
        #expect(timeline.expirations.isEmpty)
        timeline.wait(.milliseconds(1))
        #expect(timeline.expirations == [.stalled])
    }

    @Test("progress keeps its titles, stays between 0 and 1, and goes into the run (B29, B31)")
    func progressIsKept() {
        var timeline = prepared()
        timeline.submit(render, title: "Render")
        timeline.enter(render)
        timeline.send(.progressed(RunIdentifier(1), RunProgress(fraction: 7, subtitle: "half")))
        timeline.send(.progressed(RunIdentifier(1), RunProgress(fraction: .nan)))
        timeline.complete(render)
        #expect(timeline.lastRun(render)?.progress == RunProgress(fraction: 1, title: "Render", subtitle: "half"))
    }

    @Test("one that waits ends with the program that embeds the runner (B29)")
    func waitingOnesEndWithTheirProcess() {
        var timeline = prepared()
        timeline.submit(refresh)
        timeline.enter(refresh)
        timeline.submit(render, title: "Render")
        timeline.restart()
        #expect(timeline.pending(render) == nil)
        #expect(timeline.store.requests[render] == nil)
        #expect(timeline.withdrawals == [render])
    }

    @Test("one that was being started ends with its process, and does not come back (B29)")
    func claimedOnesEndWithTheirProcess() {
        var timeline = prepared()
        timeline.submit(render, title: "Render")
        timeline.restart()
        #expect(timeline.pending(render) == nil)
        #expect(timeline.lastRun(render)?.state == .cancelled)
    }

    @Test("continued requests count in no limit of a kind (B13)")
    func countInNoLimit() {
        var timeline = Timeline(policy: Policy(name: "test", limits: .apple))
        timeline.send(.paused(app: nil, call: CallIdentifier(0)))
        for number in 0..<12 {
            let identifier = "com.example.app.jobs.\(number)"
            timeline.register(identifier, kind: .continuedProcessing)
            #expect(timeline.submit(TaskIdentifier(checked: identifier), title: "Job").outcome == .submitted)
        }
    }
}
