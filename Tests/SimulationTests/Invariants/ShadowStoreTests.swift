import Scheduling
import Simulation
import Testing

@Suite("The shadow of what is stored and told")
struct ShadowStoreTests {
    private static let now = Moment(
        wall: WallTime(milliseconds: 1_772_409_600_000), boot: BootTime(milliseconds: 3_600_000),
        awake: AwakeTime(milliseconds: 3_600_000))
    private static let identifier = TaskIdentifier(checked: "com.example.app.task")
    private static let app = AppIdentifier(checked: "com.example.app")

    private static func request(_ submission: Int64, floor: WallTime? = nil) -> PendingRequest {
        PendingRequest(
            identifier: identifier, app: app, kind: .appRefresh, floor: floor, submittedAt: now.wall,
            submittedBoot: now.boot, bootIdentifier: BootIdentifier("boot"), submission: submission)
    }

    private static func run(
        _ number: Int64, _ state: RunState, submission: Int64 = 1, floor: WallTime? = nil
    ) -> Effect {
        .persist(
            .putRun(
                RunRecord(
                    run: RunIdentifier(number), request: request(submission, floor: floor), origin: .scheduled,
                    attempt: 1,
                    state: state, startedAt: now.wall, startedBoot: now.boot)))
    }

    private static var launch: Effect {
        .launch(
            LaunchOrder(
                run: RunIdentifier(1), identifier: identifier, app: app, kind: .appRefresh, origin: .scheduled,
                attempt: 1))
    }

    private static func problems(_ effects: [Effect]) -> [String] {
        var shadow = ShadowStore()
        shadow.judge(effects)
        for effect in effects { shadow.see(effect, at: now) }
        return shadow.problems
    }

    @Test("a life as it should be is nothing to speak of")
    func good() {
        #expect(
            Self.problems([
                .persist(.putRequest(Self.request(1))), Self.run(1, .starting),
                .persist(.removeRequest(Self.identifier)),
                Self.launch, Self.run(1, .running), Self.run(1, .expiring),
                .expire(RunIdentifier(1), .budget, grace: .seconds(5)), Self.run(1, .expired),
            ]) == [])
    }

    @Test("it sees what is early, twice, or out of order")
    func bad() {
        let pending = Effect.persist(.putRequest(Self.request(1)))
        let later = Self.now.wall.advanced(by: .seconds(1))
        let lives: [[Effect]] = [
            // Early.
            [.persist(.putRequest(Self.request(1, floor: later))), Self.run(1, .starting, floor: later)],
            // Launched twice, without a claim, claimed twice, and pending again after its handler was entered.
            [pending, Self.run(1, .starting), Self.launch, Self.launch],
            [pending, Self.launch],
            [pending, Self.run(1, .starting), Self.run(1, .running), Self.run(1, .succeeded), Self.run(2, .starting)],
            [pending, Self.run(1, .starting), Self.run(1, .running), pending],
            // Ended twice, and begun beside another.
            [pending, Self.run(1, .starting), Self.run(1, .running), Self.run(1, .succeeded), Self.run(1, .failed)],
            [
                pending, .persist(.putRequest(Self.request(2))), Self.run(1, .starting),
                Self.run(2, .starting, submission: 2),
            ],
            // Never asked for, and expired without a word to the store.
            [Self.run(1, .starting)],
            [pending, Self.run(1, .starting), .expire(RunIdentifier(1), .budget, grace: .seconds(5))],
        ]
        for life in lives { #expect(!Self.problems(life).isEmpty, "\(life)") }
    }

    @Test("a request goes by a claim, by a cancel or a drop that is said, or by another that replaces it")
    func removals() {
        let removal = Effect.persist(.removeRequest(Self.identifier))
        let newer = Effect.persist(.putRequest(Self.request(2)))
        let replaced = Effect.publish(
            .submitted(SubmissionResult(outcome: .replaced, request: Self.request(2), previous: Self.request(1))))
        let lost = ["the request of com.example.app.task was removed and nobody took it"]
        func problems(_ effects: [Effect]) -> [String] {
            var shadow = ShadowStore()
            shadow.commit([.persist(.putRequest(Self.request(1)))])
            shadow.commit(effects)
            return shadow.problems
        }
        #expect(problems([Self.run(1, .starting), removal]) == [])
        #expect(problems([removal, .publish(.withdrawn(Self.request(1), .cancelled))]) == [])
        #expect(problems([removal, .publish(.withdrawn(Self.request(1), .dropped))]) == [])
        #expect(problems([newer, replaced]) == [])
        #expect(problems([Self.run(1, .starting), newer]) == [])
        #expect(problems([removal]) == lost)
        #expect(problems([newer]) == lost)
        #expect(problems([removal, .publish(.withdrawn(Self.request(2), .cancelled))]) == lost)
        let returned = Effect.publish(.refiled(Self.request(2), .returned))
        #expect(problems([newer, returned]) == lost, "what a caller asked for stays")
        // Of two that go at once, one that nobody asked to go.
        #expect(problems([newer, replaced, removal]) == lost)
    }

    @Test("what it forgets of a run that has ended is not that it has")
    func forgets() {
        var shadow = ShadowStore()
        shadow.commit([.persist(.putRequest(Self.request(1)))])
        shadow.commit([
            Self.run(1, .starting), .persist(.removeRequest(Self.identifier)), Self.run(1, .running),
            Self.run(1, .succeeded),
        ])
        shadow.forgetHistory()
        #expect(shadow.runs.isEmpty)
        shadow.commit([Self.run(1, .succeeded)])
        #expect(shadow.problems == [])
        shadow.commit([Self.run(1, .running)])
        #expect(shadow.problems == ["run 1 of com.example.app.task went from succeeded to running"])
    }
}
