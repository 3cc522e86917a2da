package import Scheduling

/// The durable store: one SQLite file in a folder, used by one process and by one thread at a time.
///
/// What `commit` returned from survives a crash and a loss of power. A damaged file is set aside and a new one begun.
package final class SQLiteStore: RequestStore {
    private enum State {
        /// In use; once damage showed, the next `load` sets the file aside. → `setAside`, `closed`.
        case open(SQLiteDatabase, isDamaged: Bool)
        /// The damaged file was set aside, and the new one could not be begun yet; `load` tries again. → `open`, `closed`.
        case setAside(StoreRecovery, SalvagedContents)
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
        let connection = try SQLiteConnection(folder: folder, fileLayer: options.fileLayer)
        let database: SQLiteDatabase
        do {
            database = try SQLiteDatabase(connection, options: options)
        } catch {
            guard error.kind == .corrupt else { throw error }
            let recovery = try SQLiteStore.setAside(connection, SalvagedContents(), at: now)
            database = try SQLiteStore.begin(folder: folder, options: options, recovery, SalvagedContents())
        }
        state = .open(database, isDamaged: false)
        lastReport = SQLiteStore.report(of: database)
    }

    package func load() throws(StoreFailure) -> StoreContents {
        switch state {
        case .open(let database, isDamaged: false):
            do {
                return try database.contents()
            } catch {
                guard error.kind == .corrupt else { throw error }
                try setAside(database)
            }
        case .open(let database, isDamaged: true):
            try setAside(database)
        case .setAside, .closed:
            break
        }
        return try beginAfterDamage().contents()
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

    package func deviceChanges(_ query: DeviceChangeQuery) throws(StoreFailure) -> DeviceChangePage {
        try use { database throws(StoreFailure) in try database.deviceChanges(query) }
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
        if case .open(let database, _) = state { database.close() }
        state = .closed
    }

    // MARK: Private

    /// Uses the database and remembers when it turned out to be damaged.
    private func use<Result>(
        _ body: (SQLiteDatabase) throws(StoreFailure) -> Result
    ) throws(StoreFailure) -> Result {
        let database: SQLiteDatabase
        switch state {
        case .open(let current, _): database = current
        case .setAside: throw StoreFailure(.corrupt, folder: folder)
        case .closed: throw StoreFailure(.closed, folder: folder)
        }
        do {
            return try body(database)
        } catch {
            if error.kind == .corrupt { state = .open(database, isDamaged: true) }
            throw error
        }
    }

    /// Moves the files of a damaged database out of the way, with what can still be read of it in memory.
    private func setAside(_ database: SQLiteDatabase) throws(StoreFailure) {
        let salvaged = database.salvage()
        let recovery = try SQLiteStore.setAside(database.connection, salvaged, at: openedAt)
        database.close()
        state = .setAside(recovery, salvaged)
    }

    private static func setAside(
        _ connection: SQLiteConnection, _ salvaged: SalvagedContents, at time: WallTime
    ) throws(StoreFailure) -> StoreRecovery {
        // Closing comes last, because it would delete the journal under its old name.
        let path = try DamagedFiles.setAside(in: connection.folder, at: time)
        connection.close()
        return StoreRecovery(at: time, setAside: path, reason: salvaged.summary)
    }

    /// Begins the new database once the damaged one is out of the way.
    private func beginAfterDamage() throws(StoreFailure) -> SQLiteDatabase {
        guard case .setAside(let recovery, let salvaged) = state else { throw StoreFailure(.closed, folder: folder) }
        let database = try SQLiteStore.begin(folder: folder, options: options, recovery, salvaged)
        state = .open(database, isDamaged: false)
        lastReport = SQLiteStore.report(of: database)
        return database
    }

    private static func begin(
        folder: String, options: SQLiteOptions, _ recovery: StoreRecovery, _ salvaged: SalvagedContents
    ) throws(StoreFailure) -> SQLiteDatabase {
        let connection = try SQLiteConnection(folder: folder, fileLayer: options.fileLayer)
        let database = try SQLiteDatabase(connection, options: options)
        try database.transaction { () throws(StoreFailure) in
            for change in salvaged.changes { try database.apply(change) }
            try database.setRecovery(recovery)
        }
        return database
    }

    private static func report(of database: SQLiteDatabase) -> StoreReport {
        StoreReport(
            path: database.connection.path, identifier: database.identifier, schemaVersion: Schema.version,
            recovered: database.recovery)
    }
}
