package import Platform
package import Scheduling

/// The store's own thread: what is handed over is done in order, and nobody else waits for the disk.
///
/// Completions run on the store's thread; whoever needs another one hops there by itself.
package final class StoreWorker: Sendable {
    // Unsafe because the store is not Sendable: only the worker's thread touches it after this initialiser.
    private nonisolated(unsafe) let store: any RequestStore
    private let thread: WorkerThread

    /// Takes the store over; the caller keeps no way to use it.
    package init(_ store: sending any RequestStore, name: String = "store") throws(SystemError) {
        self.store = store
        thread = try WorkerThread(name: name)
    }

    /// Commits the changes, and then says whether they are durable.
    package func commit(
        _ changes: [StoreChange], completion: @escaping @Sendable (Result<Void, StoreFailure>) -> Void
    ) {
        let accepted = thread.perform { [self] in
            do throws(StoreFailure) {
                try store.commit(changes)
                completion(.success(()))
            } catch {
                completion(.failure(error))
            }
        }
        if !accepted { completion(.failure(StoreWorker.stopped)) }
    }

    /// Does something else with the store. After `stop` it is dropped, and the completion with it.
    package func perform<Answer: Sendable>(
        _ body: @escaping @Sendable (any RequestStore) -> Answer, completion: @escaping @Sendable (Answer) -> Void
    ) {
        thread.perform { [self] in completion(body(store)) }
    }

    /// Does what was handed over before, closes the store and ends the thread. Not to be called from a completion.
    package func stop() {
        thread.perform { [self] in store.close() }
        thread.stopAndJoin()
    }

    private static let stopped = StoreFailure(.closed, "The store was closed: start Runner again.")
}
