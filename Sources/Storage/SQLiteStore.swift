package import Scheduling

/// The durable store: one SQLite file in a folder, used by one process and by one thread at a time.
///
/// What `commit` returned from survives a crash and a loss of power. A damaged file is set aside and a new one begun.
package final class SQLiteStore: RequestStore {
    private enum State {
        /// → `usable`, `closed`. Its contents were not read yet: damage that shows now sets the file aside.
        case opened(SQLiteDatabase)
        /// → `damaged`, `closed`.
        case usable(SQLiteDatabase)
        /// Damage showed while it was in use; the next `load` sets the file aside. → `usable`, `closed`.
        case damaged(SQLiteDatabase)
        case closed
    }

    private let folder: String
    private let options: SQLiteOptions
    private let openedAt: WallTime
    private var state: State
    private var lastReport: StoreReport

    /// Opens the store in the folder, which must be there; `now` names a damaged file that is set aside.
    package init(folder: String, options: SQLiteOptions = SQLiteOptions(), now: WallTime) throws(StoreFailure) {
        self.folder = folder
        self.options = options
        openedAt = now
        let database: SQLiteDatabase
        do {
            database = try SQLiteDatabase(folder: folder, options: options)
        } catch where error.kind == .corrupt {
            database = try SQLiteStore.begin(
                folder: folder, options: options, now: now, keeping: nil, closing: nil)
        }
        state = .opened(database)
        lastReport = SQLiteStore.report(of: database)
    }

    package func load() throws(StoreFailure) -> StoreContents {
        let database = try database()
        var contents: StoreContents?
        var failure: StoreFailure?
        do {
            contents = try database.contents()
        } catch {
            failure = error
        }
        if let failure, failure.kind != .corrupt { throw failure }
        switch state {
        case .opened, .usable:
            if let contents {
                state = .usable(database)
                return contents
            }
            guard case .opened = state else { throw StoreFailure(.corrupt, folder: folder) }
        case .damaged, .closed:
            break
        }
        let begun = try SQLiteStore.begin(
            folder: folder, options: options, now: openedAt, keeping: contents, closing: database)
        state = .usable(begun)
        lastReport = SQLiteStore.report(of: begun)
        return try begun.contents()
    }

    package func commit(_ changes: [StoreChange]) throws(StoreFailure) {
        guard !changes.isEmpty else { return }
        try use { database throws(StoreFailure) in
            try database.transaction { () throws(StoreFailure) in
                for change in changes { try database.apply(change) }
            }
        }
    }

    package func run(_ run: RunIdentifier) throws(StoreFailure) -> RunRecord? {
        try use { database throws(StoreFailure) in try database.run(run) }
    }

    package func history(_ query: HistoryQuery) throws(StoreFailure) -> HistoryPage {
        try use { database throws(StoreFailure) in try database.history(query) }
    }

    package func deviceChanges(limit: Int) throws(StoreFailure) -> [DeviceChange] {
        try use { database throws(StoreFailure) in try database.deviceChanges(limit: limit) }
    }

    package func applyRetention(_ retention: Retention, now: WallTime) throws(StoreFailure) -> [RunIdentifier] {
        try use { database throws(StoreFailure) in try database.applyRetention(retention, now: now) }
    }

    package func report() -> StoreReport {
        lastReport
    }

    package func acknowledgeRecovery() throws(StoreFailure) {
        try use { database throws(StoreFailure) in try database.setRecovery(nil) }
        lastReport.recovered = nil
    }

    package func close() {
        guard let database = try? database() else { return }
        state = .closed
        database.close()
    }

    // MARK: Private

    private func database() throws(StoreFailure) -> SQLiteDatabase {
        switch state {
        case .opened(let database), .usable(let database), .damaged(let database): return database
        case .closed: throw StoreFailure(.closed, folder: folder)
        }
    }

    /// Uses the database and remembers when it turned out to be damaged.
    private func use<Result>(
        _ body: (SQLiteDatabase) throws(StoreFailure) -> Result
    ) throws(StoreFailure) -> Result {
        let database = try database()
        do {
            return try body(database)
        } catch {
            if error.kind == .corrupt { state = .damaged(database) }
            throw error
        }
    }

    /// Sets the files aside and begins a new database, with what could still be read of the old one.
    private static func begin(
        folder: String, options: SQLiteOptions, now: WallTime, keeping contents: StoreContents?,
        closing old: SQLiteDatabase?
    ) throws(StoreFailure) -> SQLiteDatabase {
        let path = folder + "/" + SQLiteDatabase.fileName
        let setAside = try DamagedFiles.setAside(path, folder: folder, at: now)
        // Only now: closing would delete the journal under its old name.
        old?.close()
        let database = try SQLiteDatabase(folder: folder, options: options)
        let reason =
            contents == nil
            ? "The store was damaged and could not be read: pending requests and history are only in the file set aside."
            : "The store was damaged in part: pending requests were kept, history is only in the file set aside."
        try database.transaction { () throws(StoreFailure) in
            if let contents { try database.takeOver(contents) }
            try database.setRecovery(StoreRecovery(at: now, setAside: setAside, reason: reason))
        }
        return database
    }

    private static func report(of database: SQLiteDatabase) -> StoreReport {
        StoreReport(
            path: database.connection.path, identifier: database.identifier, schemaVersion: Schema.version,
            recovered: database.recovery)
    }
}
