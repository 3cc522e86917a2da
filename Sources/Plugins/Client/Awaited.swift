import Dispatch
import Platform

/// A value that one thread waits for and another one gives.
package final class Awaited<Value: Sendable>: Sendable {
    private let value = Locked<Value?>(nil)
    private let semaphore = DispatchSemaphore(value: 0)

    package init() {}

    /// Only once.
    package func fulfil(_ value: Value) {
        self.value.withLock { $0 = value }
        semaphore.signal()
    }

    /// Only once.
    package func wait() -> Value {
        semaphore.wait()
        guard let value = value.withLock({ $0 }) else { preconditionFailure("a value is awaited that was taken") }
        return value
    }
}
