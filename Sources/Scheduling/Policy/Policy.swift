/// Which gates apply and with which figures. A policy has no hidden condition: `explain` shows all it asks for (B20).
package struct Policy: Hashable, Sendable, Codable {
    package var name: String
    package var limits: RequestLimits
    package var budgets = Budgets()
    package var gates = PolicyGates()
    /// Runs at once over all apps (B30).
    package var concurrency = 4
    package var timing = Timing()
    /// What decides beside that, with its figures.
    package var factors = Factors.none

    package init(name: String, limits: RequestLimits) {
        self.name = name
        self.limits = limits
    }

    /// What the request asks for, and nothing hidden.
    package static let prompt = Policy(name: "prompt", limits: .generous)
}

/// Whose factors decide beside what requests ask for.
///
/// Kept out of line: a scheduler asks its policy all the time which of them it has, and seldom for a figure.
package indirect enum Factors: Hashable, Sendable, Codable {
    case none
    /// Apple's.
    case apple(AppleParameters)
    /// Those of Android's Doze.
    case doze(DozeParameters)
}

extension Policy {
    package var apple: AppleParameters? {
        get { if case .apple(let parameters) = factors { parameters } else { nil } }
        // To write through a nil changes nothing.
        set { if newValue != nil || isApple { factors = newValue.map(Factors.apple) ?? .none } }
    }

    package var doze: DozeParameters? {
        get { if case .doze(let parameters) = factors { parameters } else { nil } }
        set { if newValue != nil || isDoze { factors = newValue.map(Factors.doze) ?? .none } }
    }

    package var isApple: Bool { if case .apple = factors { true } else { false } }
    package var isDoze: Bool { if case .doze = factors { true } else { false } }
    /// Who opens windows; `nil` when nothing waits for any.
    package var windows: WindowSource? { apple?.windows ?? doze?.windows }
    /// Whether requests wait for windows in which they may begin.
    package var hasWindows: Bool { if case .none = factors { false } else { true } }
}

/// How many requests may be pending (B13). They count after replacement.
package struct RequestLimits: Hashable, Sendable, Codable {
    package var name: String
    package var refreshPerApp: Int?
    package var processingPerApp: Int?
    package var allPerApp: Int?
    package var inAll: Int?

    package init(name: String, refreshPerApp: Int?, processingPerApp: Int?, allPerApp: Int?, inAll: Int?) {
        self.name = name
        self.refreshPerApp = refreshPerApp
        self.processingPerApp = processingPerApp
        self.allPerApp = allPerApp
        self.inAll = inAll
    }

    /// 1 app refresh and 10 processing requests per app (Apple's documentation of `tooManyPendingTaskRequests`).
    package static let apple = RequestLimits(
        name: "apple", refreshPerApp: 1, processingPerApp: 10, allPerApp: nil, inAll: 1_000_000)
    package static let generous = RequestLimits(
        name: "generous", refreshPerApp: nil, processingPerApp: nil, allPerApp: 1_000, inAll: 1_000_000)
}

/// How long a run may take (B23); `nil` means without an end.
package struct Budgets: Hashable, Sendable, Codable {
    package var appRefresh: Duration = .seconds(30)
    package var processing: Duration = .minutes(10)
    package var grace: Duration = .seconds(5)

    package init() {}

    package func budget(of kind: TaskKind) -> Duration? {
        switch kind {
        case .appRefresh: appRefresh
        case .processing, .healthResearch: processing
        case .continuedProcessing: nil
        }
    }
}

/// The gates that a policy adds to what requests ask for. Each is a parameter; none is on in `prompt`.
package struct PolicyGates: Hashable, Sendable, Codable {
    /// Apps have a refresh switch, and the device has one for all.
    package var refreshSwitch = false
    /// A force quit holds app refresh until the app is opened again.
    package var forceQuitHoldsRefresh = false
    /// Low Power Mode holds app refresh.
    package var lowPowerModeHoldsRefresh = false
    /// Processing runs only while the device is idle.
    package var processingNeedsIdle = false
    /// Nothing runs before the first unlock after a boot.
    package var needsFirstUnlock = false
    /// Runs wait below this battery level unless on external power.
    package var minimumBatteryLevel: Double?
    /// Runs wait above this.
    package var warmest: ThermalState?
    /// Scheduled run time per app and day.
    package var runTimePerDay: Duration?
    /// The shortest time between the starts of an app's scheduled runs of one kind.
    package var refreshInterval: Duration?
    package var processingInterval: Duration?
    /// Each misbehaviour within 24 hours doubles the app's interval.
    package var misbehaviourDoublesInterval = false
    /// App refresh waits when the app was not opened for so long.
    package var unopenedAfter: Duration?

    package init() {}
}

/// Times that rules name; each is a parameter.
package struct Timing: Hashable, Sendable, Codable {
    /// A continued run without a change in progress is stalled after this (B29).
    package var stall: Duration = .seconds(30)
    /// A condition may be lost for so long before the run is expired (B21).
    package var conditionLoss: Duration = .seconds(5)
    /// A lost source's last value holds for so long (B19).
    package var sourceLoss: Duration = .seconds(60)
    /// The near-term floor of a re-arm (B37).
    package var rearmNear: Duration = .seconds(60)
    /// The near-term floor after a refused re-arm, and the longest interval that doubling reaches (B37).
    package var rearmRefused: Duration = .seconds(300)
    package var rearmLongest: Duration = .hours(4)
    /// The backoff of a retry, doubling (B38).
    package var retryBackoff: Duration = .seconds(30)
    /// The longest backoff of a retry; `nil` is the interval of its recurrence.
    package var retryLongest: Duration?
    /// The backoff after a failed start, doubling, and how many starts are tried.
    package var startBackoff: Duration = .seconds(10)
    package var startAttempts = 3
    /// How much later a kept request may start than the new one (B12).
    package var keepTolerance: Duration = .seconds(5)
    /// How long runs may go on after SIGTERM before they are expired.
    package var drain: Duration = .seconds(10)
    /// When stranded requests are dropped (B42).
    package var stranded: Duration = .days(30)
    /// How many continued-processing identifiers may be registered on demand (B5).
    package var onDemandRegistrations = 64
    /// How many handlers a process may register.
    package var registrations = 4_096
    /// How long a process may take to say hello, then to finish launching, and to answer a launch (04, *Supervision*).
    package var launchTime: Duration = .seconds(5)
    /// A process with nothing to do is stopped after this.
    package var idleStop: Duration = .seconds(60)
    /// The backoff of a process that failed, doubling, and its longest.
    package var restartBackoff: Duration = .seconds(1)
    package var restartLongest: Duration = .minutes(5)
    /// So many failures in so long a time put an app into quarantine.
    package var quarantineFailures = 5
    package var quarantineWindow: Duration = .minutes(10)

    package init() {}
}
