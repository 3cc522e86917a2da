import Scheduling

/// A second opinion on what may start, when, and for how long: a few plain rules over what the device has told the
/// scheduler.
///
/// It knows none of the scheduler's code, so that a gate that is forgotten there is seen here.
struct ShadowGates: Sendable {
    private let policy: Policy
    private var conditions: [DeviceCondition: ConditionValue] = [:]
    private var forceQuit: Set<AppIdentifier> = []
    private var refreshDisabled: Set<AppIdentifier> = []
    private var windows: ShadowWindows
    /// Runs whose place is taken, with the time at which they have to be over once they were entered.
    private var running: [RunIdentifier: AwakeTime?] = [:]
    /// When the last refresh of an app was claimed that was entered, in this boot.
    private var lastRefresh: [AppIdentifier: BootTime] = [:]
    /// When the last run of a recurring task was claimed that was entered, since the clock was set.
    private var lastPeriodic: [TaskIdentifier: WallTime] = [:]
    private var found: [String] = []

    init(_ policy: Policy, at now: Moment) {
        self.policy = policy
        windows = ShadowWindows(policy, at: now)
    }

    var problems: [String] { found + windows.problems }

    // MARK: The device

    mutating func told(_ condition: DeviceCondition, _ value: ConditionValue, at now: Moment) {
        conditions[condition] = value
        windows.told(condition, value, at: now)
    }

    /// What tells of conditions is gone.
    mutating func lost(at now: Moment) {
        windows.lost(at: now)
    }

    mutating func opened(_ app: AppIdentifier) {
        forceQuit.remove(app)
    }

    mutating func quit(_ app: AppIdentifier) {
        forceQuit.insert(app)
    }

    mutating func switched(_ app: AppIdentifier, on: Bool) {
        if on { refreshDisabled.remove(app) } else { refreshDisabled.insert(app) }
    }

    /// An event opens a window.
    mutating func given(until time: BootTime) {
        windows.given(until: time)
    }

    /// The scheduler says that a window is open now.
    mutating func windowOpened(until time: BootTime?, at now: Moment) {
        windows.opened(until: time, at: now)
    }

    /// The runner starts again; what it knew of windows it knows again, unless the device has booted.
    mutating func restarted(isReboot: Bool, at now: Moment) {
        running = [:]
        windows.restarted()
        guard isReboot else { return }
        windows.rebooted(at: now)
        lastRefresh = [:]
    }

    mutating func clockSet() {
        lastPeriodic = [:]
    }

    // MARK: Runs

    mutating func launched(_ order: LaunchOrder, _ request: PendingRequest, at now: Moment) {
        guard order.origin == .scheduled else { return }
        running[order.run] = .some(nil)
        if running.count > policy.concurrency { found.append("\(running.count) runs are at work at once") }
        func refuse(_ isWrong: Bool, _ words: String) {
            if isWrong {
                found.append("run \(order.run.number) of \(order.identifier) began \(words), under \(policy.name)")
            }
        }
        refuse(request.requiresExternalPower && isOff(.externalPower), "without external power")
        refuse(request.requiresNetworkConnectivity && conditions[.network] == .network(.none), "without a network")
        guard order.kind != .continuedProcessing else { return }
        if policy.isApple {
            refuse(isOff(.unlocked), "before the first unlock")
            if order.kind == .appRefresh {
                refuse(conditions[.lowPowerMode] == .flag(true), "in Low Power Mode")
                refuse(isOff(.backgroundRefresh), "while background refresh is off")
                refuse(refreshDisabled.contains(order.app), "while its app's refresh switch is off")
                refuse(forceQuit.contains(order.app), "after a force quit")
                refuse(!windows.isOpen(at: now), "outside of a wake window")
            } else {
                refuse(isOff(.idle), "while the device is in use")
            }
        }
        if policy.isDoze {
            let isDozing = !isOff(.idle) && isOff(.externalPower)
            let needsWindow = isDozing || policy.doze?.onlyInWindows == true
            refuse(needsWindow && !windows.isOpen(at: now), "outside of a maintenance window")
        }
    }

    /// The handler of a run was entered.
    mutating func entered(_ run: RunRecord, isRecurring: Bool, at now: Moment) {
        guard run.origin == .scheduled else { return }
        if running[run.run] != nil, let budget = policy.budgets.budget(of: run.request.kind) {
            let longest = budget + policy.budgets.grace + .seconds(1)
            running[run.run] = now.awake.advanced(by: longest)
        }
        if let apple = policy.apple, run.request.kind == .appRefresh {
            if let last = lastRefresh[run.app],
                last.duration(to: run.startedBoot) < apple.shortestRefreshInterval
            {
                found.append("run \(run.run.number) of \(run.identifier) is a refresh too many of its app")
            }
            lastRefresh[run.app] = run.startedBoot
        }
        // A run comes in the last minutes of its period, so that two may be nearer than a period by that.
        if let doze = policy.doze, isRecurring, run.request.maker == .recurrence {
            if let last = lastPeriodic[run.identifier],
                last.duration(to: run.startedAt) < doze.shortestPeriod - doze.flex
            {
                found.append("run \(run.run.number) of \(run.identifier) is a period too early")
            }
            lastPeriodic[run.identifier] = run.startedAt
        }
    }

    mutating func ended(_ run: RunIdentifier) {
        running[run] = nil
    }

    /// Time has passed: nothing may run longer than it may.
    mutating func passed(at now: Moment) {
        for case (let run, let end?) in running where end < now.awake {
            found.append("run \(run.number) goes on after its budget and grace")
            running[run] = .some(nil)
        }
    }

    private func isOff(_ condition: DeviceCondition) -> Bool {
        conditions[condition] == .flag(false)
    }
}
