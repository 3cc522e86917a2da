public import Scheduling

/// How many requests may be pending (B13).
public enum VirtualLimits: Sendable {
    /// As on iOS: 1 app refresh and 10 processing requests.
    case apple
    /// As in the daemon by default: 1,000.
    case generous

    var requests: RequestLimits {
        switch self {
        case .apple: .apple
        case .generous: .generous
        }
    }
}

/// What a test says of the device.
public enum VirtualCondition: Sendable {
    /// Whether it is on external power.
    case externalPower(Bool)
    /// What kind of network it has.
    case network(NetworkState)
    /// Its battery, from 0 to 1.
    case batteryLevel(Double)
    /// Whether Low Power Mode is on.
    case lowPowerMode(Bool)
    /// Whether nobody uses it.
    case idle(Bool)
    /// Whether it has been unlocked since it booted.
    case unlocked(Bool)
    /// How warm it is.
    case thermal(ThermalState)
    /// Whether background refresh is allowed on it.
    case backgroundRefresh(Bool)

    var reported: (DeviceCondition, ConditionValue) {
        switch self {
        case .externalPower(let value): (.externalPower, .flag(value))
        case .network(let value): (.network, .network(value))
        case .batteryLevel(let value): (.batteryLevel, .level(min(max(value, 0), 1)))
        case .lowPowerMode(let value): (.lowPowerMode, .flag(value))
        case .idle(let value): (.idle, .flag(value))
        case .unlocked(let value): (.unlocked, .flag(value))
        case .thermal(let value): (.thermal, .thermal(value))
        case .backgroundRefresh(let value): (.backgroundRefresh, .flag(value))
        }
    }
}
