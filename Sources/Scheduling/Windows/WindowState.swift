/// When the device looks at deferred work: the window that is open, and the next one that will be.
///
/// It is kept over restarts of the runner, or each of them would put the next window off.
package struct WindowState: Hashable, Sendable, Codable {
    /// What the next window is planned by.
    private enum Plan: Hashable, Codable {
        case none
        /// Wake windows by how the device is used, and until when it wakes as if it were in use still (`apple`).
        case wakes(DeviceUse, lingersUntil: BootTime?)
        /// Maintenance windows, the next of which comes after so long a gap (`doze`).
        case maintenance(gap: Duration)
    }

    /// When the newest window opened, and until when it is open.
    private(set) var openedAt: BootTime?
    private(set) var openUntil: BootTime?
    /// When the next window opens; `nil` when only an event can open one.
    private(set) var next: BootTime?
    private var plan = Plan.none
    private var random: SplitMix64
    private let seed: UInt64
    private let boot: BootIdentifier

    /// Every boot of every machine has windows of its own; the same boot has the same ones.
    init(seed: UInt64, boot: BootIdentifier) {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in boot.text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        random = SplitMix64(seed: seed ^ hash)
        self.seed = seed
        self.boot = boot
    }

    /// Whether it goes on under this policy and boot.
    func isValid(_ policy: Policy, in boot: BootIdentifier) -> Bool {
        guard self.boot == boot, seed == policy.windowSeed else { return false }
        return switch plan {
        case .none: true
        case .wakes: policy.isApple
        case .maintenance: policy.isDoze
        }
    }

    func isOpen(at now: Moment) -> Bool {
        openUntil.map { $0 > now.boot } ?? false
    }

    /// Opens a window at a time.
    mutating func open(at time: BootTime, lasting length: Duration) {
        if openUntil ?? time <= time { openedAt = time }
        openUntil = max(openUntil ?? time, time.advanced(by: length))
    }

    /// Draws the times of wake windows by how the device is used (`apple`).
    ///
    /// - Returns: whether the open window is new.
    mutating func advance(to now: Moment, use: DeviceUse, _ parameters: AppleParameters) -> Bool {
        guard parameters.windows == .generated else { return false }
        var (before, lingersUntil): (DeviceUse?, BootTime?) = (nil, nil)
        if case .wakes(let use, let until) = plan { (before, lingersUntil) = (use, until) }
        if before != use {
            if before == .inUse { lingersUntil = now.boot.advanced(by: parameters.wakeAfterUse) }
            // It wakes by how it is used now; a wake that would come sooner still comes.
            let planned = next
            draw(use, since: now.boot, lingersUntil, parameters)
            if let planned, let next { self.next = min(planned, next) }
        }
        var isNew = false
        while let next, next <= now.boot {
            open(at: next, lasting: parameters.windowLength)
            isNew = isOpen(at: now)
            draw(use, since: next, lingersUntil, parameters)
        }
        return isNew
    }

    /// Plans maintenance windows that grow apart while the device is idle on battery (`doze`).
    ///
    /// - Returns: whether the open window is new.
    mutating func advance(to now: Moment, isDozing: Bool, _ parameters: DozeParameters) -> Bool {
        guard parameters.windows == .generated else { return false }
        guard isDozing else {
            (next, openUntil, plan) = (nil, nil, .none)
            return false
        }
        if case .maintenance = plan {} else { planGap(since: now.boot, parameters.firstWindow) }
        var isNew = false
        while let next, next <= now.boot, case .maintenance(let gap) = plan {
            let spread = parameters.longestWindow - parameters.shortestWindow
            let drawn = random.below(Int(max(0, spread.wholeMilliseconds)) + 1)
            open(at: next, lasting: parameters.shortestWindow + .milliseconds(drawn))
            isNew = isOpen(at: now)
            planGap(since: next, min(gap * 2, parameters.longestGap))
        }
        return isNew
    }

    // MARK: - Private

    private mutating func draw(
        _ use: DeviceUse, since: BootTime, _ lingersUntil: BootTime?, _ parameters: AppleParameters
    ) {
        plan = .wakes(use, lingersUntil: lingersUntil)
        let lingers = lingersUntil.map { since < $0 } ?? false
        let mean = parameters.wake(lingers ? .inUse : use).wholeMilliseconds
        let reach = Int64(Double(mean) * min(max(parameters.wakeSpread, 0), 1))
        let drawn = Int64(random.below(Int(2 * reach) + 1))
        next = since.advanced(by: .milliseconds(max(60_000, mean - reach + drawn)))
    }

    private mutating func planGap(since: BootTime, _ gap: Duration) {
        let length = max(gap, .minutes(1))
        plan = .maintenance(gap: length)
        next = since.advanced(by: length)
    }
}
