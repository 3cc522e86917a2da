/// How a device is used, as far as its wakes go.
package enum DeviceUse: String, Hashable, Sendable, Codable {
    case inUse
    case charging
    case idle
}

extension AppleParameters {
    /// The mean time between wakes.
    func wake(_ use: DeviceUse) -> Duration {
        switch use {
        case .inUse: wakeInUse
        case .charging: wakeCharging
        case .idle: wakeIdle
        }
    }
}
