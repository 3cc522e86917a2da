import Foundation

/// A lock that guards a value, under the name that Apple's `os` gives it.
///
/// Unchecked because the compiler cannot see that the value is touched only while the lock is held.
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
    private final class Guarded {
        let lock = NSLock()
        var state: State

        init(_ state: State) {
            self.state = state
        }
    }

    private let guarded: Guarded

    /// Guards a value that may be used from any thread.
    public init(initialState: State) where State: Sendable {
        guarded = Guarded(initialState)
    }

    /// Guards a value of which the caller knows that it may be used so.
    public init(uncheckedState: State) {
        guarded = Guarded(uncheckedState)
    }

    /// Guards nothing but code.
    public init() where State == Void {
        guarded = Guarded(())
    }

    /// Runs the body while nobody else can touch the value.
    public func withLock<R: Sendable>(_ body: @Sendable (inout State) throws -> R) rethrows -> R {
        try withLockUnchecked(body)
    }

    /// Runs the body while nobody else can touch the value, without asking whether it may be sent.
    public func withLockUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R {
        guarded.lock.lock()
        defer { guarded.lock.unlock() }
        return try body(&guarded.state)
    }

    /// Runs the body if the lock is free, else returns `nil`.
    public func withLockIfAvailable<R: Sendable>(_ body: @Sendable (inout State) throws -> R) rethrows -> R? {
        guard guarded.lock.try() else { return nil }
        defer { guarded.lock.unlock() }
        return try body(&guarded.state)
    }

    /// Takes the lock; the same thread must give it back.
    public func lock() {
        guarded.lock.lock()
    }

    /// Gives the lock back.
    public func unlock() {
        guarded.lock.unlock()
    }

    /// Takes the lock if it is free, and says whether it was.
    public func lockIfAvailable() -> Bool {
        guarded.lock.try()
    }
}
