import Platform
package import Scheduling
package import SystemPlatform

/// The network from rtnetlink: there is one when a default route leads over an interface that is up (B19).
package final class NetworkSource: DeviceSource {
    private static let name = "kernel: rtnetlink"
    private let loop: EventLoop
    private var descriptor: OwnedDescriptor?
    private var watch: WatchToken?

    package init(on loop: EventLoop) {
        self.loop = loop
    }

    package func start(report: @escaping (Event) -> Void) throws {
        let descriptor = try NetworkLinks.open()
        self.descriptor = descriptor
        watch = try loop.watch(descriptor.raw, for: .read) { _ in
            if NetworkLinks.drain(descriptor.raw) { Self.read(report) }
        }
        Self.read(report)
    }

    package func stop() {
        if let watch { loop.unwatch(watch) }
        watch = nil
        descriptor?.close()
    }

    /// The kernel does not know what is metered, so a network counts as unmetered.
    private static func read(_ report: (Event) -> Void) {
        guard let reading = try? NetworkLinks.read() else {
            report(.sourceLost(name))
            return
        }
        let state: NetworkState = reading.hasDefaultRoute ? .unmetered : .none
        report(.conditionReported(.network, .network(state), source: name, validFor: nil, call: nil))
    }
}
