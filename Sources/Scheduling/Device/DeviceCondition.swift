/// A condition of the device that gates look at.
package enum DeviceCondition: String, Sendable, Codable, CaseIterable {
    case externalPower
    case batteryLevel
    case lowPowerMode
    case network
    case idle
    case unlocked
    case thermal
    case backgroundRefresh
}

/// What kind of network there is.
public enum NetworkState: String, Sendable, Codable, CaseIterable {
    /// There is none.
    case none
    /// What is sent costs something.
    case metered
    /// What is sent costs nothing.
    case unmetered
}

/// How warm the device is.
public enum ThermalState: String, Sendable, Codable, CaseIterable, Comparable {
    /// As it should be.
    case nominal
    /// A little warm.
    case fair
    /// Warm: work should be put off.
    case serious
    /// Hot: work has to be put off.
    case critical

    private var rank: Int {
        switch self {
        case .nominal: 0
        case .fair: 1
        case .serious: 2
        case .critical: 3
        }
    }

    /// Orders from cool to hot.
    public static func < (left: ThermalState, right: ThermalState) -> Bool {
        left.rank < right.rank
    }
}

/// A value of a device condition.
package enum ConditionValue: Hashable, Sendable, Codable {
    case flag(Bool)
    /// From 0 to 1.
    case level(Double)
    case network(NetworkState)
    case thermal(ThermalState)
}

extension DeviceCondition {
    /// Whether the value is one that this condition can have.
    package func accepts(_ value: ConditionValue) -> Bool {
        switch (self, value) {
        case (.externalPower, .flag), (.lowPowerMode, .flag), (.idle, .flag), (.unlocked, .flag),
            (.backgroundRefresh, .flag), (.network, .network), (.thermal, .thermal):
            true
        case (.batteryLevel, .level(let level)):
            level >= 0 && level <= 1
        default:
            false
        }
    }

    /// What holds when no source ever spoke (B19), and the rule as words.
    package var assumed: (value: ConditionValue, rule: String) {
        switch self {
        case .externalPower: (.flag(true), "no battery means external power")
        case .batteryLevel: (.level(1), "no battery means a full one")
        case .lowPowerMode: (.flag(false), "no source of Low Power Mode means it is off")
        case .network: (.network(.unmetered), "no network source means an unmetered network")
        case .idle: (.flag(true), "no idle source means idle")
        case .unlocked: (.flag(true), "no session source means unlocked")
        case .thermal: (.thermal(.nominal), "no thermal source means nominal")
        case .backgroundRefresh: (.flag(true), "no switch means that background refresh is on")
        }
    }
}

/// One condition as `device` shows it.
package struct ConditionReading: Hashable, Sendable, Codable {
    package var condition: DeviceCondition
    /// `nil` when the source that knew it is lost for too long.
    package var value: ConditionValue?
    package var source: String
    package var since: WallTime?
    package var overridden: Bool
    /// When an override or a report ends by itself.
    package var until: WallTime?

    package init(
        condition: DeviceCondition, value: ConditionValue?, source: String, since: WallTime?, overridden: Bool,
        until: WallTime? = nil
    ) {
        self.condition = condition
        self.value = value
        self.source = source
        self.since = since
        self.overridden = overridden
        self.until = until
    }
}
