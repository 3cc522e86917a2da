/// Lives scenarios.
package enum VirtualDay {
    /// Every device of a scenario lives through its days; the same seed gives the same reports.
    package static func live(_ scenario: Scenario, seed: UInt64? = nil, days: Int? = nil) -> [DeviceReport] {
        scenario.devices.compactMap { device in
            var virtual = VirtualDevice(scenario, device: device, seed: seed ?? scenario.seed, days: days)
            virtual.live()
            return virtual.report()
        }
    }
}
