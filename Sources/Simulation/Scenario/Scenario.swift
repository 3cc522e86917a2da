package import Scheduling

/// What is to be lived through: the same days on one or more devices.
package struct Scenario: Hashable, Sendable {
    package var name: String
    /// Midnight of the first day, on the devices' own clocks.
    package var start: WallTime
    package var utcOffsetSeconds: Int
    package var days: Int
    /// Days before the first that are lived and not reported: usage is learned, budgets are used.
    package var warmUpDays: Int
    /// What everything that is left to chance is drawn from.
    package var seed: UInt64
    /// How long a device is used when an app is opened.
    package var inUseAfterOpen: Duration
    package var devices: [ScenarioDevice]
    package var apps: [ScenarioApp]
    package var events: [ScenarioEvent]

    package init(name: String, start: WallTime) {
        self.name = name
        self.start = start
        utcOffsetSeconds = 0
        days = 1
        warmUpDays = 0
        seed = 1
        inUseAfterOpen = .minutes(10)
        devices = []
        apps = []
        events = []
    }
}

/// A device: its policy, and what is so at the beginning.
package struct ScenarioDevice: Hashable, Sendable {
    package var name: String
    package var policy: Policy
    /// Windows that are given, by the time of day; the policy says whether they are.
    package var windows: [ScenarioWindow]
    package var conditions: [ScenarioCondition]
    /// Apps whose background refresh is switched off from the beginning.
    package var refreshDisabled: [AppIdentifier]

    package init(name: String, policy: Policy) {
        self.name = name
        self.policy = policy
        windows = []
        conditions = []
        refreshDisabled = []
    }
}

/// A window of every day.
package struct ScenarioWindow: Hashable, Sendable {
    /// Since midnight.
    package var at: Duration
    package var length: Duration

    package init(at: Duration, length: Duration) {
        self.at = at
        self.length = length
    }
}

/// A condition and its value.
package struct ScenarioCondition: Hashable, Sendable {
    package var condition: DeviceCondition
    package var value: ConditionValue

    package init(_ condition: DeviceCondition, _ value: ConditionValue) {
        self.condition = condition
        self.value = value
    }
}

/// An app: its tasks, and how it answers what happens to it.
package struct ScenarioApp: Hashable, Sendable {
    package var app: AppIdentifier
    /// The devices that have it; `nil` is all.
    package var devices: [String]?
    package var tasks: [ScenarioTask]
    /// Whether its handlers run in a process of the app's own, as a plugin's do, and not each in one.
    package var isPlugin: Bool
    /// Silent pushes that a server sends over the day, by chance; single ones are events.
    package var pushes: PushTraffic?
    package var fetch: ScenarioFetch?
    /// How long a push that is delivered keeps the app awake, a minute at least.
    package var pushTakes: Duration
    /// Whether opening the app brings its content up to date, as its refresh would.
    package var syncsWhenOpened: Bool

    package init(_ app: AppIdentifier) {
        self.app = app
        tasks = []
        isPlugin = false
        pushTakes = .seconds(5)
        syncsWhenOpened = true
    }
}

/// Silent pushes that come by chance.
package struct PushTraffic: Hashable, Sendable {
    package var perHour: Double
    /// Since midnight.
    package var from: Duration
    package var to: Duration

    package init(perHour: Double, from: Duration = .zero, to: Duration = .hours(24)) {
        self.perHour = perHour
        self.from = from
        self.to = to
    }
}

/// The legacy fetch call of an app.
package struct ScenarioFetch: Hashable, Sendable {
    package var minimumInterval: Duration
    package var takes: Duration
    /// How likely a fetch finds something new, and how likely it fails; else it finds nothing.
    package var newData: Double
    package var fails: Double

    package init(minimumInterval: Duration, takes: Duration = .seconds(5), newData: Double = 0.5, fails: Double = 0) {
        self.minimumInterval = minimumInterval
        self.takes = takes
        self.newData = newData
        self.fails = fails
    }
}

/// A task: what its handler does.
package struct ScenarioTask: Hashable, Sendable {
    package var identifier: TaskIdentifier
    package var kind: TaskKind
    /// The interval of a declared recurrence.
    package var every: Duration?
    /// What a run takes: between the two, by chance.
    package var takes: ClosedRange<Duration>
    /// What a second of it takes of the energy budget, in seconds.
    package var cost: Double
    /// How likely a run succeeds.
    package var succeeds: Double
    package var requiresNetworkConnectivity: Bool
    package var requiresExternalPower: Bool
    /// Whether it goes on when it is expired.
    package var ignoresExpiration: Bool
    package var retriesFailures: Bool
    /// When its app submits its next request.
    package var submissions: [SubmissionRule]

    package init(_ identifier: TaskIdentifier, kind: TaskKind) {
        self.identifier = identifier
        self.kind = kind
        takes = .seconds(10)...Duration.seconds(10)
        cost = 1
        succeeds = 1
        requiresNetworkConnectivity = false
        requiresExternalPower = false
        ignoresExpiration = false
        retriesFailures = false
        submissions = []
    }
}

/// When an app submits a request, and with which floor.
package struct SubmissionRule: Hashable, Sendable {
    /// What it answers.
    package enum Trigger: String, Hashable, Sendable, CaseIterable {
        /// The app was started for the first time, or after a reboot.
        case launch
        case open
        /// A run of the task begins.
        case run
        /// A run of the task ends.
        case end
        case push
        case fetch
        case transfer
    }

    package var when: Trigger
    /// The floor: so long after now, or after the last run.
    package var after: Duration
    /// Whether the floor counts from the last run (B37) and not from now.
    package var isAnchored: Bool
    package var ifPending: PendingChoice

    package init(
        when: Trigger, after: Duration, isAnchored: Bool = false, ifPending: PendingChoice = .replace
    ) {
        self.when = when
        self.after = after
        self.isAnchored = isAnchored
        self.ifPending = ifPending
    }
}

/// Something that happens at a time of day, on some days.
package struct ScenarioEvent: Hashable, Sendable {
    /// Since midnight.
    package var at: Duration
    /// How far the time may be from that, by chance, to both sides.
    package var spread: Duration
    /// The days, counted from 1; `nil` is every day, those of the warm-up too.
    package var days: ClosedRange<Int>?
    /// How likely it happens, each day.
    package var chance: Double
    package var action: ScenarioAction

    package init(
        at: Duration, spread: Duration = .zero, days: ClosedRange<Int>? = nil, chance: Double = 1,
        _ action: ScenarioAction
    ) {
        self.at = at
        self.spread = spread
        self.days = days
        self.chance = chance
        self.action = action
    }
}

/// What happens.
package enum ScenarioAction: Hashable, Sendable {
    case open(AppIdentifier)
    case forceQuit(AppIdentifier)
    case submit(TaskRequest, floor: ScenarioFloor?, PendingChoice)
    case cancel(TaskIdentifier)
    /// Somebody uses the device for so long, and opens none of the apps here.
    case use(Duration)
    case push(AppIdentifier)
    case transfer(AppIdentifier, takes: Duration)
    case setCondition(ScenarioCondition)
    case refreshSwitch(AppIdentifier, on: Bool)
    case openWindow(Duration)
    /// The device is off for so long; after that it is locked.
    case reboot(off: Duration)
    case osUpgrade(String, off: Duration)
    case setClock(by: Duration)
    /// The runner dies and is started again at once.
    case crash
    /// The source of the device's conditions is gone for so long.
    case loseSource(Duration)
}

/// The floor of a submission in a scenario.
package enum ScenarioFloor: Hashable, Sendable {
    /// The next time at which the device's clock shows this, since midnight.
    case timeOfDay(Duration)
    case after(Duration)
}
