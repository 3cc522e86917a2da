import Platform
import Scheduling
import Storage

@testable import Runner

/// A store whose commits wait until a test lets them through or makes them fail.
///
/// Unchecked because the memory store is touched under the lock only.
final class HeldStore: EngineStore, @unchecked Sendable {
    typealias Completion = @Sendable (Result<Void, StoreFailure>) -> Void

    private struct State {
        var isHolding = false
        var held: [(changes: [StoreChange], completion: Completion)] = []
        var batches: [[StoreChange]] = []
        var failing: StoreFailure?
        var failingReads: StoreFailure?
    }

    let memory: MemoryStore
    private let state = Locked(State())

    init(_ memory: MemoryStore) {
        self.memory = memory
    }

    /// The committed batches, in order.
    var batches: [[StoreChange]] { state.withLock { $0.batches } }
    var heldCount: Int { state.withLock { $0.held.count } }

    /// From now on commits wait.
    func hold() { state.withLock { $0.isHolding = true } }

    /// Every commit fails with this, until `nil`.
    func fail(_ failure: StoreFailure?, reads: StoreFailure? = nil) {
        state.withLock {
            $0.failing = failure
            $0.failingReads = reads
        }
    }

    /// Lets the oldest held commit through.
    func releaseOne() {
        let next = state.withLock { $0.held.isEmpty ? nil : $0.held.removeFirst() }
        if let next { finish(next.changes, next.completion) }
    }

    /// Lets everything through, now and later.
    func release() {
        state.withLock { $0.isHolding = false }
        while heldCount > 0 { releaseOne() }
    }

    func commit(_ changes: [StoreChange], completion: @escaping Completion) {
        let isHeld = state.withLock { state in
            if state.isHolding { state.held.append((changes, completion)) }
            return state.isHolding
        }
        if !isHeld { finish(changes, completion) }
    }

    func perform<Answer: Sendable>(
        _ body: @escaping @Sendable (any RequestStore) -> Answer, completion: @escaping @Sendable (Answer) -> Void
    ) {
        let answer = state.withLock { state in
            memory.failReads = state.failingReads
            return body(memory)
        }
        completion(answer)
    }

    func stop() {}

    private func finish(_ changes: [StoreChange], _ completion: Completion) {
        let result: Result<Void, StoreFailure> = state.withLock { state in
            if let failing = state.failing { return .failure(failing) }
            do throws(StoreFailure) {
                try memory.commit(changes)
                state.batches.append(changes)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        completion(result)
    }
}
