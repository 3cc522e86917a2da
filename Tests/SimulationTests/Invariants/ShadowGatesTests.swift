import Scheduling
import Testing

@testable import Simulation

@Suite("The shadow's own opinion of what may start")
struct ShadowGatesTests {
    private static let app = AppIdentifier(checked: "com.example.app")
    private static let now = Moment(
        wall: WallTime(milliseconds: 1_772_409_600_000), boot: BootTime(milliseconds: 3_600_000),
        awake: AwakeTime(milliseconds: 3_600_000))

    private static let before = Moment(
        wall: now.wall.advanced(by: .hours(-1)), boot: BootTime(milliseconds: 0), awake: AwakeTime(milliseconds: 0))
    private static let identifier = TaskIdentifier(checked: "com.example.app.task")

    private static func after(_ time: Duration) -> Moment {
        Moment(
            wall: now.wall.advanced(by: time), boot: now.boot.advanced(by: time), awake: now.awake.advanced(by: time))
    }

    /// What the shadow says of a launch on a device where everything is good but for one change.
    private static func problems(
        _ policy: Policy, _ kind: TaskKind, power: Bool = false, network: Bool = false, origin: RunOrigin = .scheduled,
        _ change: (inout ShadowGates) -> Void
    ) -> [String] {
        var gates = ShadowGates(policy, at: before)
        gates.told(.externalPower, .flag(true), at: Self.now)
        gates.told(.idle, .flag(true), at: Self.now)
        gates.told(.unlocked, .flag(true), at: Self.now)
        gates.told(.network, .network(.unmetered), at: Self.now)
        gates.given(until: now.boot.advanced(by: .minutes(1)))
        gates.windowOpened(until: now.boot.advanced(by: .minutes(1)), at: now)
        change(&gates)
        let identifier = TaskIdentifier(checked: "com.example.app.task")
        var request = PendingRequest(
            identifier: identifier, app: app, kind: kind, submittedAt: now.wall, submittedBoot: now.boot,
            bootIdentifier: BootIdentifier("boot"), submission: 1)
        request.requiresExternalPower = power
        request.requiresNetworkConnectivity = network
        gates.launched(
            LaunchOrder(
                run: RunIdentifier(1), identifier: identifier, app: app, kind: kind, origin: origin, attempt: 1),
            request,
            at: now)
        return gates.problems
    }

    @Test("it has nothing to say of what may start", arguments: [Policy.prompt, .apple(), .doze()])
    func good(policy: Policy) {
        for kind in TaskKind.allCases {
            #expect(Self.problems(policy, kind, power: true, network: true) { _ in } == [])
        }
    }

    @Test("it sees each gate of apple that is passed")
    func apple() {
        let policy = Policy.apple()
        let wrong: [(TaskKind, (inout ShadowGates) -> Void)] = [
            (.appRefresh, { $0.told(.lowPowerMode, .flag(true), at: Self.now) }), (.appRefresh, { $0.quit(Self.app) }),
            (.appRefresh, { $0.switched(Self.app, on: false) }),
            (.appRefresh, { $0.told(.backgroundRefresh, .flag(false), at: Self.now) }),
            (.appRefresh, { $0.windowOpened(until: Self.now.boot, at: Self.now) }),
            (.appRefresh, { $0.told(.unlocked, .flag(false), at: Self.now) }),
            (.processing, { $0.told(.idle, .flag(false), at: Self.now) }),
            (.processing, { $0.told(.unlocked, .flag(false), at: Self.now) }),
        ]
        for (kind, change) in wrong { #expect(Self.problems(policy, kind, change).count == 1) }
        // None of these holds processing, nor what a person simulates.
        for (_, change) in wrong[..<5] { #expect(Self.problems(policy, .processing, change) == []) }
        for (kind, change) in wrong { #expect(Self.problems(policy, kind, origin: .simulated, change) == []) }
    }

    @Test("it sees work outside of a maintenance window, and none where no window is needed")
    func doze() {
        func outside(_ change: @escaping (inout ShadowGates) -> Void) -> [String] {
            Self.problems(.doze(), .processing) { gates in
                gates.restarted(isReboot: true, at: Self.now)
                gates.told(.externalPower, .flag(true), at: Self.now)
                gates.told(.idle, .flag(true), at: Self.now)
                change(&gates)
            }
        }
        #expect(outside { $0.told(.externalPower, .flag(false), at: Self.now) }.count == 1)
        #expect(outside { _ in } == [])
        #expect(
            outside { gates in
                gates.told(.externalPower, .flag(false), at: Self.now)
                gates.told(.idle, .flag(false), at: Self.now)
            } == [])
    }

    @Test("it sees a requirement that is not met, under every policy", arguments: [Policy.prompt, .apple(), .doze()])
    func requirements(policy: Policy) {
        #expect(
            Self.problems(policy, .processing, power: true) { $0.told(.externalPower, .flag(false), at: Self.now) }
                .isEmpty == false)
        #expect(
            Self.problems(policy, .processing, network: true) { $0.told(.network, .network(.none), at: Self.now) }.count
                == 1)
    }

    @Test("it sees more runs at once than the policy allows")
    func concurrency() {
        var gates = ShadowGates(.prompt, at: Self.now)
        let request = PendingRequest(
            identifier: TaskIdentifier(checked: "com.example.app.task"), app: Self.app, kind: .processing,
            submittedAt: Self.now.wall, submittedBoot: Self.now.boot, bootIdentifier: BootIdentifier("boot"),
            submission: 1)
        func launch(_ run: Int64) {
            gates.launched(
                LaunchOrder(
                    run: RunIdentifier(run), identifier: request.identifier, app: Self.app, kind: .processing,
                    origin: .scheduled, attempt: 1), request, at: Self.now)
        }
        for run in 1...4 { launch(Int64(run)) }
        #expect(gates.problems == [])
        launch(5)
        #expect(gates.problems == ["5 runs are at work at once"])
    }

    // MARK: - Windows

    /// What the shadow says of windows that open by themselves, so long after the device went idle on battery.
    private static func windows(_ policy: Policy, _ opened: [(after: Duration, length: Duration)]) -> [String] {
        var windows = ShadowWindows(policy, at: now)
        windows.told(.externalPower, .flag(false), at: now)
        windows.told(.idle, .flag(true), at: now)
        for (time, length) in opened {
            let now = after(time)
            windows.opened(until: now.boot.advanced(by: length), at: now)
        }
        return windows.problems
    }

    @Test("it sees maintenance windows that come too soon, are too long, or are not needed")
    func maintenanceWindows() {
        let good: [(Duration, Duration)] = [(.minutes(60), .minutes(10)), (.minutes(180), .minutes(5))]
        #expect(Self.windows(.doze(), good) == [])
        #expect(Self.windows(.doze(), [(.minutes(59), .minutes(5))]) == ["a maintenance window opened too soon"])
        #expect(
            Self.windows(.doze(), good + [(.minutes(239), .minutes(5))]) == ["a maintenance window opened too soon"])
        #expect(Self.windows(.doze(), [(.minutes(60), .minutes(11))]) == ["a window is longer than any may be"])
        var windows = ShadowWindows(.doze(), at: Self.now)
        windows.told(.externalPower, .flag(true), at: Self.now)
        windows.opened(until: Self.after(.minutes(65)).boot, at: Self.after(.minutes(60)))
        #expect(windows.problems == ["a maintenance window opened while none is needed"])
    }

    @Test("it sees wake windows that are too long or within a minute, and those that nobody gave")
    func wakeWindows() {
        #expect(Self.windows(.apple(), [(.minutes(1), .minutes(2)), (.minutes(2), .minutes(2))]) == [])
        #expect(
            Self.windows(.apple(), [(.minutes(1), .minutes(2)), (.seconds(119), .minutes(2))])
                == ["two wake windows are within a minute"])
        #expect(
            Self.windows(.apple(), [(.minutes(1), .seconds(121))]) == ["a window is longer than any may be"])
        var parameters = AppleParameters()
        parameters.windows = .given
        var windows = ShadowWindows(.apple(parameters), at: Self.now)
        windows.given(until: Self.after(.minutes(9)).boot)
        windows.opened(until: Self.after(.minutes(9)).boot, at: Self.now)
        #expect(windows.problems == [])
        windows.opened(until: Self.after(.minutes(9)).boot, at: Self.after(.minutes(3)))
        #expect(windows.problems == ["a window opened that nobody gave"])
    }

    // MARK: - Runs

    /// What the shadow says of runs that are entered, so long after each other.
    private static func entered(
        _ policy: Policy, _ kind: TaskKind, after times: [Duration], recurring: Bool = false,
        maker: RequestMaker = .caller, _ change: (inout ShadowGates) -> Void = { _ in }
    ) -> [String] {
        var gates = ShadowGates(policy, at: now)
        for (number, time) in times.enumerated() {
            let now = after(time)
            var request = PendingRequest(
                identifier: identifier, app: app, kind: kind, submittedAt: now.wall, submittedBoot: now.boot,
                bootIdentifier: BootIdentifier("boot"), submission: 1)
            request.maker = maker
            let run = RunIdentifier(Int64(number + 1))
            gates.given(until: now.boot.advanced(by: .minutes(1)))
            gates.windowOpened(until: now.boot.advanced(by: .minutes(1)), at: now)
            gates.launched(
                LaunchOrder(run: run, identifier: identifier, app: app, kind: kind, origin: .scheduled, attempt: 1),
                request, at: now)
            gates.entered(
                RunRecord(
                    run: run, request: request, origin: .scheduled, attempt: 1, state: .running, startedAt: now.wall,
                    startedBoot: now.boot), isRecurring: recurring, at: now)
            change(&gates)
        }
        return gates.problems
    }

    @Test("it sees a refresh that comes too soon after another of its app, under apple")
    func refreshRate() {
        #expect(Self.entered(.apple(), .appRefresh, after: [.zero, .minutes(15)]) == [])
        #expect(
            Self.entered(.apple(), .appRefresh, after: [.zero, .minutes(14)])
                == ["run 2 of com.example.app.task is a refresh too many of its app"])
        #expect(Self.entered(.apple(), .processing, after: [.zero, .minutes(14)]) == [])
        #expect(Self.entered(.prompt, .appRefresh, after: [.zero, .minutes(14)]) == [])
    }

    @Test("it sees a run of a recurring task that is a period too early under doze, unless it is a retry")
    func periods() {
        func periods(_ minutes: Int, _ maker: RequestMaker) -> [String] {
            Self.entered(.doze(), .appRefresh, after: [.zero, .minutes(minutes)], recurring: true, maker: maker)
        }
        #expect(periods(10, .recurrence) == [])
        #expect(periods(9, .recurrence) == ["run 2 of com.example.app.task is a period too early"])
        #expect(periods(9, .retry) == [])
    }

    @Test("it sees a run that goes on after its budget and grace")
    func overruns() {
        func lasts(_ time: Duration) -> [String] {
            Self.entered(.prompt, .appRefresh, after: [.zero]) { $0.passed(at: Self.after(time)) }
        }
        #expect(lasts(.seconds(36)) == [])
        #expect(lasts(.seconds(37)) == ["run 1 goes on after its budget and grace"])
    }
}
