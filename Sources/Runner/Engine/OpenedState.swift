package import Platform
package import Scheduling
package import Storage

/// A state folder that this process holds: its lock, its store on a thread of its own, and what the store held.
package struct OpenedState {
    package let lock: StateLock?
    package let store: StoreWorker
    package let contents: StoreContents
    package let report: StoreReport

    /// Locks the folder and opens its store; it is made, for this user alone, if it is not there.
    package init(folder: String, now: WallTime) throws(StateFailure) {
        do throws(RuntimeFolderFailure) {
            try RuntimeFolder.prepare(path: folder, mode: 0o700, makingParents: true)
        } catch {
            throw StateFailure(.folder, error.description)
        }
        do throws(StateLockFailure) {
            lock = try StateLock.acquire(folder: folder)
        } catch {
            throw StateFailure(.held, error.description)
        }
        do throws(StoreFailure) {
            let store = try SQLiteStore(folder: folder, now: now)
            contents = try store.load()
            report = store.report()
            self.store = try Self.worker(store)
        } catch {
            throw StateFailure(.store, error.message)
        }
    }

    /// A store in memory, for tests.
    package init(memory store: sending MemoryStore) throws(StateFailure) {
        lock = nil
        do throws(StoreFailure) {
            contents = try store.load()
            report = store.report()
            self.store = try Self.worker(store)
        } catch {
            throw StateFailure(.store, error.message)
        }
    }

    private static func worker(_ store: sending any RequestStore) throws(StoreFailure) -> StoreWorker {
        do throws(SystemError) {
            return try StoreWorker(store)
        } catch {
            throw StoreFailure(.inputOutput, error.description)
        }
    }
}

extension StoreWorker: EngineStore {}

/// Why a state folder cannot be used.
package struct StateFailure: Error, CustomStringConvertible {
    package enum Kind: Sendable {
        case folder
        /// Another process holds it.
        case held
        case store
    }

    package var kind: Kind
    /// One plain sentence that says what to do.
    package var description: String

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
