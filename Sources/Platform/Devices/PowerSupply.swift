/// What the kernel's power supplies say.
package struct PowerReading: Equatable, Sendable {
    package var externalPower: Bool
    /// 0 to 1, the mean of all batteries; nil when none tells.
    package var batteryLevel: Double?

    package init(externalPower: Bool, batteryLevel: Double?) {
        self.externalPower = externalPower
        self.batteryLevel = batteryLevel
    }
}

/// One folder of `/sys/class/power_supply`.
package struct PowerSupply: Equatable, Sendable {
    private enum Kind {
        case battery
        /// Mains, USB or wireless: what can feed the machine from outside.
        case external
        case other
    }

    private enum BatteryStatus {
        case charging
        case full
        /// Full enough, or held back, while something feeds the machine.
        case notCharging
        case discharging
        case unknown
    }

    private var kind: Kind
    /// Nil when the supply does not say.
    private var online: Bool?
    private var status: BatteryStatus
    /// In percent.
    private var capacity: Int?

    /// The machine's power; nil when it has no battery, as then nothing here tells where its power comes from.
    package static func read(root: String = "/sys/class/power_supply") -> PowerReading? {
        let supplies = (SmallFile.names(inFolder: root) ?? []).compactMap { PowerSupply(folder: "\(root)/\($0)") }
        return reading(of: supplies)
    }

    // MARK: Private

    private static func reading(of supplies: [PowerSupply]) -> PowerReading? {
        let batteries = supplies.filter { $0.kind == .battery }
        guard !batteries.isEmpty else { return nil }
        let sources = supplies.filter { $0.kind == .external }
        let mayBeFed = sources.contains { $0.online != false }
        let isFed =
            sources.contains { $0.online == true }
            || batteries.contains { battery in
                switch battery.status {
                case .charging, .full: true
                case .notCharging: mayBeFed
                case .discharging, .unknown: false
                }
            }
        let levels = batteries.compactMap(\.capacity).map { Double(min(max($0, 0), 100)) / 100 }
        let level = levels.isEmpty ? nil : levels.reduce(0, +) / Double(levels.count)
        return PowerReading(externalPower: isFed, batteryLevel: level)
    }

    /// Nil for a supply that does not concern the machine itself: a mouse's battery, or an empty battery slot.
    private init?(folder: String) {
        func attribute(_ name: String) -> String? { SmallFile.text("\(folder)/\(name)") }
        guard let type = attribute("type"), attribute("scope") != "Device", attribute("present") != "0" else {
            return nil
        }
        kind =
            switch type {
            case "Battery": .battery
            case "Mains", "Wireless": .external
            // `USB_PD`, `USB_DCP` and so on in older kernels.
            case _ where type.hasPrefix("USB"): .external
            default: .other
            }
        // 1 is fixed and 2 programmable power.
        online = attribute("online").flatMap { Int($0) }.map { $0 > 0 }
        status =
            switch attribute("status") {
            case "Charging": .charging
            case "Full": .full
            case "Not charging": .notCharging
            case "Discharging": .discharging
            default: .unknown
            }
        capacity = attribute("capacity").flatMap { Int($0) }
    }
}
