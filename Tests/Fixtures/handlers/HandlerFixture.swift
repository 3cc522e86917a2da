import Dispatch
import Foundation
public import Plugins
public import RunnerTesting

/// A handler with a mistake that people make, and the same one repaired.
public struct HandlerFixture: Sendable {
    /// The mistake, in words.
    public let name: String
    /// What the explorer has to find in the first one, and never in the second.
    public let kind: ExpiryFinding.Kind
    /// The handler with the mistake.
    public let broken: Handler
    /// The same without it.
    public let repaired: Handler

    /// A launch handler; the scheduler is the one that runs it.
    public typealias Handler = @Sendable (LaunchedTask, VirtualScheduler) -> Void

    /// Makes a pair of handlers.
    public init(name: String, kind: ExpiryFinding.Kind, broken: @escaping Handler, repaired: @escaping Handler) {
        self.name = name
        self.kind = kind
        self.broken = broken
        self.repaired = repaired
    }

    /// The task that all of them handle.
    public static let identifier = "com.example.app.refresh"

    /// Says nothing else but that the task is registered with the handler.
    public static func setUp(_ handler: @escaping Handler) -> @Sendable (VirtualScheduler) throws -> Void {
        { scheduler in
            try scheduler.register(identifier) { [weak scheduler] task in
                guard let scheduler else { return }
                handler(task, scheduler)
            }
        }
    }

    /// One for each mistake.
    public static let all =
        [
            racedFlag, blockedQueue, bottomRearm, forgottenError, goesOn, lateHandler, waitsForWork, completesTwice,
            completesFirst, dropped,
        ] + shapes + actors
}

/// Three steps of work, each of which takes time and stops when its task is cancelled.
func work() async throws {
    for _ in 0..<3 { try await Task.sleep(for: .seconds(2)) }
}

/// A variable that two threads see, without a lock: what a careless program does with a plain one.
final class Box<Value>: @unchecked Sendable {
    // Unchecked on purpose: this is the mistake.
    var value: Value

    init(_ value: Value) {
        self.value = value
    }
}

/// The same with a lock.
final class Guarded<Value>: @unchecked Sendable {
    // Unchecked because the compiler cannot see that the lock is held whenever the value is touched.
    private var value: Value
    private let lock = NSLock()

    init(_ value: Value) {
        self.value = value
    }

    func with<Result>(_ body: (inout Value) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&value)
    }
}
