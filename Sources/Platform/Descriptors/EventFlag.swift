import CLinux

/// A flag that threads raise to wake one that waits for descriptors.
package final class EventFlag: Sendable {
    private let descriptor: OwnedDescriptor

    package init() throws(SystemError) {
        descriptor = OwnedDescriptor(try SystemError.check(runner_eventfd(), "make an event descriptor"))
    }

    /// Readable while the flag is up.
    package var raw: Int32 { descriptor.raw }

    package func raise() {
        runner_eventfd_signal(descriptor.raw)
    }

    /// Takes the flag down.
    package func clear() {
        runner_eventfd_clear(descriptor.raw)
    }
}
