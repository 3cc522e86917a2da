import Dispatch
import Platform
import Runner

/// Waiting for async work from a program that has none itself.
enum BenchRunner {
    static func wait<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let result = Locked<Result<Value, any Error>?>(nil)
        let finished = DispatchSemaphore(value: 0)
        Task {
            do {
                let value = try await body()
                result.withLock { $0 = .success(value) }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
            finished.signal()
        }
        finished.wait()
        guard let result = result.withLock({ $0 }) else { throw BenchFailure("there is no result") }
        return try result.get()
    }

    /// Drains a runner that was started.
    static func end(_ runner: TaskRunner) throws {
        runner.stop()
        try wait { try await runner.run() }
    }
}

/// Why a benchmark could not be measured.
struct BenchFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
