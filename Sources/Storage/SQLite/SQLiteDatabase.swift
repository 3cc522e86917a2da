import CSQLite
import Scheduling

/// An open database with its prepared statements.
final class SQLiteDatabase {
    let connection: SQLiteConnection
    let identifier: String
    private(set) var recovery: StoreRecovery?
    private var statements: [SQLiteStatement?] = Array(repeating: nil, count: Query.allCases.count)

    /// Prepares the connection for use, and brings its tables to the newest version.
    init(_ connection: SQLiteConnection, options: SQLiteOptions) throws(StoreFailure) {
        self.connection = connection
        // Before anything else: with it there is no shared memory file, and nobody else gets in.
        try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        let version = try Schema.storedVersion(connection)
        try connection.execute("PRAGMA page_size = \(options.pageSize)")
        guard try connection.text("PRAGMA journal_mode = WAL") == "wal" else {
            throw StoreFailure(.inputOutput, folder: connection.folder)
        }
        try connection.execute(
            """
            PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF; PRAGMA temp_store = MEMORY;
            PRAGMA wal_autocheckpoint = \(options.checkpointPages);
            PRAGMA journal_size_limit = \(options.journalSizeLimit);
            """)
        if let pages = options.largestPageCount { try connection.execute("PRAGMA max_page_count = \(pages)") }
        try Schema.migrate(connection, from: version)
        if options.refusesWrites { try connection.execute("PRAGMA query_only = ON") }
        guard let identifier = try connection.text("SELECT value FROM meta WHERE name = 'store'") else {
            throw StoreFailure(.corrupt, folder: connection.folder)
        }
        self.identifier = identifier
        let row = try connection.prepare("SELECT value FROM meta WHERE name = 'recovery'")
        if try row.step() { recovery = try row.json(0, StoreRecovery.self) }
    }

    func close() {
        statements.removeAll()
        connection.close()
    }

    func prepared(_ query: Query) throws(StoreFailure) -> SQLiteStatement {
        if let statement = statements[query.rawValue] { return statement }
        let statement = try connection.prepare(query.text)
        statements[query.rawValue] = statement
        return statement
    }

    /// Runs the body in one transaction: when it throws, or the commit fails, nothing of it is there.
    func transaction(_ body: () throws(StoreFailure) -> Void) throws(StoreFailure) {
        guard !connection.hasMoved else { throw StoreFailure(.moved, folder: connection.folder) }
        try prepared(.begin).run()
        var isCommitting = false
        do {
            try body()
            let commit = try prepared(.commit)
            isCommitting = true
            try commit.run()
        } catch {
            rollBack()
            if isCommitting { overwriteRefusedTail() }
            throw error
        }
    }

    private func rollBack() {
        guard connection.isInTransaction else { return }
        try? connection.execute("ROLLBACK")
    }

    /// A commit can fail after all of it was written to the journal, when the disk did not confirm it. A crash now would
    /// bring back what was refused; writing something else at its place prevents that, as far as the disk still obeys.
    private func overwriteRefusedTail() {
        try? prepared(.countRefusal).run()
    }

    // MARK: Writing

    func apply(_ change: StoreChange) throws(StoreFailure) {
        switch change {
        case .putRequest(let request):
            let statement = try prepared(.putRequest)
            statement.bind(request, from: 1)
            try statement.run()
        case .removeRequest(let identifier):
            let statement = try prepared(.removeRequest)
            statement.bind(1, identifier.text)
            try statement.run()
        case .putRun(let run):
            let statement = try prepared(.putRun)
            try statement.bind(run)
            try statement.run()
        case .putTask(let facts):
            let statement = try prepared(.putTask)
            statement.bind(facts)
            try statement.run()
        case .removeTask(let identifier):
            let statement = try prepared(.removeTask)
            statement.bind(1, identifier.text)
            try statement.run()
        case .putApp(let facts):
            let statement = try prepared(.putApp)
            statement.bind(1, facts.app.text)
            try statement.bindJSON(2, facts)
            try statement.run()
        case .putRunner(let facts):
            let statement = try prepared(.putRunner)
            try statement.bindJSON(1, facts)
            try statement.run()
        case .appendDeviceChange(let change):
            let statement = try prepared(.appendDeviceChange)
            try statement.bind(change)
            try statement.run()
        }
    }

    /// Keeps the numbers of runs that go, because a number is never used again.
    func remember(droppedRun run: Int64, submission: Int64) throws(StoreFailure) {
        let statement = try prepared(.rememberDropped)
        statement.bind(1, run)
        statement.bind(2, submission)
        try statement.run()
    }

    func setRecovery(_ recovery: StoreRecovery?) throws(StoreFailure) {
        if let recovery {
            let statement = try prepared(.putMeta)
            statement.bind(1, "recovery")
            try statement.bindJSON(2, recovery)
            try statement.run()
        } else {
            let statement = try prepared(.removeMeta)
            statement.bind(1, "recovery")
            try statement.run()
        }
        self.recovery = recovery
    }
}
