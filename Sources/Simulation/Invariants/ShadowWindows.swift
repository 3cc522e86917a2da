import Scheduling

/// A second opinion on windows: when one may open, and for how long.
struct ShadowWindows: Sendable {
    private let policy: Policy
    private var idle: ConditionValue?
    private var externalPower: ConditionValue?
    /// Since when the device is idle on battery, or nobody knows better; since it is on where work always waits.
    private var dozingSince: BootTime?
    /// When the newest window opened that no event gave.
    private var lastOpened: BootTime?
    private var openUntil: BootTime?
    private var givenUntil: BootTime?
    private var isGivenNow = false
    private(set) var problems: [String] = []

    init(_ policy: Policy, at now: Moment) {
        self.policy = policy
        rebooted(at: now)
    }

    func isOpen(at now: Moment) -> Bool {
        openUntil.map { $0 > now.boot } ?? false
    }

    mutating func told(_ condition: DeviceCondition, _ value: ConditionValue, at now: Moment) {
        switch condition {
        case .idle: idle = value
        case .externalPower: externalPower = value
        case .lowPowerMode, .batteryLevel, .network, .thermal, .unlocked, .backgroundRefresh: return
        }
        note(at: now)
    }

    mutating func lost(at now: Moment) {
        (idle, externalPower) = (nil, nil)
        note(at: now)
    }

    mutating func rebooted(at now: Moment) {
        (idle, externalPower, dozingSince, lastOpened, openUntil, givenUntil) = (nil, nil, nil, nil, nil, nil)
        isGivenNow = false
        note(at: now)
    }

    /// The runner starts again: what an event gave was heard, or never will be.
    mutating func restarted() {
        isGivenNow = false
    }

    /// An event opens one.
    mutating func given(until time: BootTime) {
        givenUntil = max(givenUntil ?? time, time)
        isGivenNow = true
    }

    /// The scheduler says that one is open now.
    mutating func opened(until time: BootTime?, at now: Moment) {
        defer { isGivenNow = false }
        // What opens when the device is taken into use is over at once.
        guard let time else { return }
        openUntil = time
        if !isGivenNow {
            judge(at: now)
            lastOpened = now.boot
        }
        let longest = policy.apple?.windowLength ?? policy.doze?.longestWindow ?? .zero
        let ends = policy.windows == .generated ? now.boot.advanced(by: longest) : now.boot
        if time > max(ends, givenUntil ?? ends) { problems.append("a window is longer than any may be") }
    }

    // MARK: - Private

    private mutating func judge(at now: Moment) {
        guard policy.windows == .generated else { return problems.append("a window opened that nobody gave") }
        let since = lastOpened.map { $0.duration(to: now.boot) }
        if policy.isApple, let since, since < .minutes(1) { problems.append("two wake windows are within a minute") }
        guard let doze = policy.doze else { return }
        guard let dozingSince else { return problems.append("a maintenance window opened while none is needed") }
        if dozingSince.duration(to: now.boot) < doze.firstWindow || since.map({ $0 < doze.firstWindow }) ?? false {
            problems.append("a maintenance window opened too soon")
        }
    }

    private mutating func note(at now: Moment) {
        let isDozing = policy.doze?.onlyInWindows == true || idle != .flag(false) && externalPower != .flag(true)
        if !isDozing { dozingSince = nil } else { dozingSince = dozingSince ?? now.boot }
    }
}
