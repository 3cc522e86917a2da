/// The port behind which requests, runs and facts are kept. One thread at a time calls it.
///
/// A memory store and the SQLite store pass the same conformance suite.
package protocol RequestStore: AnyObject {
    /// Reads everything that a scheduler starts from.
    func load() throws(StoreFailure) -> StoreContents
    /// Makes all the changes in one transaction, or none of them; returns when they are durable.
    func commit(_ changes: [StoreChange]) throws(StoreFailure)
    /// One run by its number.
    func run(_ run: RunIdentifier) throws(StoreFailure) -> RunRecord?
    /// Runs, newest first.
    func history(_ query: HistoryQuery) throws(StoreFailure) -> HistoryPage
    /// Device changes, newest first.
    func deviceChanges(_ query: DeviceChangeQuery) throws(StoreFailure) -> DeviceChangePage
    /// Drops ended runs and device changes beyond the retention; returns the runs that went.
    func applyRetention(_ retention: Retention, now: WallTime) throws(StoreFailure) -> [RunIdentifier]
    /// What a person should know of the store itself.
    func report() -> StoreReport
    /// A person has seen that the store was recovered.
    func acknowledgeRecovery() throws(StoreFailure)
    /// Ends the use of the store; later calls fail.
    func close()
}

/// Why the store could not do what it was asked.
package struct StoreFailure: Error, Hashable, Sendable, Codable {
    package enum Kind: String, Sendable, Codable {
        case full
        case readOnly
        case locked
        case corrupt
        case inputOutput
        case newerSchema
        /// The file is not where it was any more: what is written to it would be gone with the process.
        case moved
        case closed
    }

    package var kind: Kind
    /// One plain sentence that says what to do.
    package var message: String

    package init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}

/// Which runs `history` asks for.
package struct HistoryQuery: Hashable, Sendable {
    package var identifier: TaskIdentifier?
    package var origin: RunOrigin?
    package var state: RunState?
    /// Only runs with a smaller number.
    package var before: RunIdentifier?
    package var limit: Int

    package init(
        identifier: TaskIdentifier? = nil, origin: RunOrigin? = nil, state: RunState? = nil,
        before: RunIdentifier? = nil, limit: Int = 100
    ) {
        self.identifier = identifier
        self.origin = origin
        self.state = state
        self.before = before
        self.limit = limit
    }
}

/// A page of history; `next` is there when older runs match.
package struct HistoryPage: Hashable, Sendable {
    package var runs: [RunRecord]
    package var next: RunIdentifier?

    package init(runs: [RunRecord], next: RunIdentifier? = nil) {
        self.runs = runs
        self.next = next
    }
}

/// How much history is kept.
package struct Retention: Hashable, Sendable {
    package var runs: Int
    package var age: Duration

    package init(runs: Int = 10_000, age: Duration = .days(90)) {
        self.runs = runs
        self.age = age
    }
}

/// What a person should know of the store.
package struct StoreReport: Hashable, Sendable {
    /// Where it is; `nil` for a store in memory.
    package var path: String?
    /// A random name given when the store was made.
    package var identifier: String
    package var schemaVersion: Int
    /// A damaged store that was set aside, until a person acknowledges it.
    package var recovered: StoreRecovery?

    package init(path: String?, identifier: String, schemaVersion: Int, recovered: StoreRecovery? = nil) {
        self.path = path
        self.identifier = identifier
        self.schemaVersion = schemaVersion
        self.recovered = recovered
    }
}

/// A damaged store was set aside and a new one begun.
package struct StoreRecovery: Hashable, Sendable, Codable {
    package var at: WallTime
    package var setAside: String
    package var reason: String

    package init(at: WallTime, setAside: String, reason: String) {
        self.at = at
        self.setAside = setAside
        self.reason = reason
    }
}
