import Platform
package import Scheduling
package import SystemPlatform

/// Power from `/sys/class/power_supply`, read again when the kernel says that it changed (B19).
package final class PowerSource: DeviceSource {
    private static let name = "kernel: power_supply"
    private let loop: EventLoop
    private let root: String
    private var descriptor: OwnedDescriptor?
    private var watch: WatchToken?

    package init(on loop: EventLoop, root: String = "/sys/class/power_supply") {
        self.loop = loop
        self.root = root
    }

    package func start(report: @escaping (Event) -> Void) throws {
        let descriptor = try PowerEvents.open()
        self.descriptor = descriptor
        let root = root
        watch = try loop.watch(descriptor.raw, for: .read) { _ in
            if PowerEvents.drain(descriptor.raw) { Self.read(root, report) }
        }
        Self.read(root, report)
    }

    package func stop() {
        if let watch { loop.unwatch(watch) }
        watch = nil
        descriptor?.close()
    }

    /// Without a battery nothing is said, and the stated rule holds: no battery means external power.
    private static func read(_ root: String, _ report: (Event) -> Void) {
        let reading = PowerSupply.read(root: root)
        report(
            .conditionReported(
                .externalPower, reading.map { .flag($0.externalPower) }, source: name, validFor: nil, call: nil))
        report(
            .conditionReported(
                .batteryLevel, reading?.batteryLevel.map { .level($0) }, source: name, validFor: nil, call: nil))
    }
}
