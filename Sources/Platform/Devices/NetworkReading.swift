/// The network as the kernel has it configured.
package struct NetworkReading: Equatable, Sendable {
    package struct Interface: Equatable, Sendable {
        package var index: Int32
        package var name: String
        /// Switched on by the administrator.
        package var isUp: Bool
        /// Has its carrier.
        package var isRunning: Bool
        package var isLoopback: Bool

        package init(index: Int32, name: String, isUp: Bool, isRunning: Bool, isLoopback: Bool) {
            self.index = index
            self.name = name
            self.isUp = isUp
            self.isRunning = isRunning
            self.isLoopback = isLoopback
        }

        /// Whether traffic to the world can leave by it.
        var carries: Bool {
            isUp && isRunning && !isLoopback
        }
    }

    /// Whether a default route, of either protocol, leads over an interface that is up and running.
    package var hasDefaultRoute: Bool
    /// In the order of their numbers.
    package var interfaces: [Interface]

    package init(hasDefaultRoute: Bool, interfaces: [Interface]) {
        self.hasDefaultRoute = hasDefaultRoute
        self.interfaces = interfaces
    }
}
