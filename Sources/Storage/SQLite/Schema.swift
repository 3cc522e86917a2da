import Scheduling

/// The tables, as a list of steps; a store of version `n` has had the first `n` steps.
///
/// A released step is never changed. What a column means may not change without a new step either, nor the fields of a
/// value that a column holds as JSON, so that an older Runner refuses the store instead of misreading it.
enum Schema: CaseIterable {
    /// Version 1.
    case tables
    /// Version 2: finding what is too old without reading all history, and remembering the numbers that went with it.
    case retention
    /// Version 3: what an earlier start saw living on of its predecessor's runs.
    case leftovers
    /// Version 4: what the processes of apps have registered, and which of them live.
    case processes

    /// The version that this Runner writes.
    static let version = allCases.count

    /// The store's version; refuses one that only a newer Runner can have written. Writes nothing.
    static func storedVersion(_ connection: SQLiteConnection) throws(StoreFailure) -> Int {
        let stored = Int(try connection.number("PRAGMA user_version"))
        guard stored >= 0 else { throw StoreFailure(.corrupt, folder: connection.folder) }
        guard stored <= version else { throw StoreFailure(.newerSchema, folder: connection.folder) }
        return stored
    }

    /// Brings the store to the newest version, each step in a transaction of its own.
    static func migrate(_ connection: SQLiteConnection, from version: Int) throws(StoreFailure) {
        for (number, step) in allCases.enumerated().dropFirst(version) {
            try connection.execute("BEGIN IMMEDIATE")
            do {
                try step.run(connection)
                try connection.execute("PRAGMA user_version = \(number + 1)")
                try connection.execute("COMMIT")
            } catch {
                if connection.isInTransaction { try? connection.execute("ROLLBACK") }
                throw error
            }
        }
    }

    // MARK: Steps

    private func run(_ connection: SQLiteConnection) throws(StoreFailure) {
        switch self {
        case .tables: try Schema.makeTables(connection)
        case .retention: try Schema.prepareRetention(connection)
        case .leftovers:
            try connection.execute("UPDATE runner SET facts = json_set(facts, '$.leftovers', json_array())")
        case .processes:
            // What an app's facts hold of its process may be absent: what is there need not change.
            break
        }
    }

    private static let requestColumns = """
        app TEXT NOT NULL, traits INTEGER NOT NULL, floor INTEGER, title TEXT, subtitle TEXT,
        submitted_at INTEGER NOT NULL, submitted_boot INTEGER NOT NULL, boot TEXT NOT NULL, submission INTEGER NOT NULL,
        attempts INTEGER NOT NULL, postponements INTEGER NOT NULL, backoff_until INTEGER
        """

    private static func makeTables(_ connection: SQLiteConnection) throws(StoreFailure) {
        try connection.execute(
            """
            CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
            CREATE TABLE requests (identifier TEXT PRIMARY KEY, \(requestColumns)) WITHOUT ROWID;
            CREATE TABLE runs (
                run INTEGER PRIMARY KEY, identifier TEXT NOT NULL, \(requestColumns),
                origin INTEGER NOT NULL, attempt INTEGER NOT NULL, state INTEGER NOT NULL,
                claim_cancelled INTEGER NOT NULL, waited INTEGER NOT NULL, waits TEXT,
                started_at INTEGER NOT NULL, started_boot INTEGER NOT NULL, ended_at INTEGER, ended_boot INTEGER,
                budget INTEGER, expired_at INTEGER, reason INTEGER, message TEXT,
                progress REAL, progress_title TEXT, progress_subtitle TEXT, exit_code INTEGER, exit_signal INTEGER,
                process_group INTEGER, process_start INTEGER, process_boot TEXT, diagnostics TEXT
            );
            CREATE INDEX runs_by_identifier ON runs (identifier, run, submission);
            CREATE INDEX runs_unfinished ON runs (run) WHERE state < 3;
            CREATE TABLE tasks (
                identifier TEXT PRIMARY KEY, last_scheduled_start INTEGER, retries INTEGER NOT NULL,
                refused_rearms INTEGER NOT NULL, stranded_since INTEGER
            ) WITHOUT ROWID;
            CREATE TABLE apps (app TEXT PRIMARY KEY, facts TEXT NOT NULL) WITHOUT ROWID;
            CREATE TABLE runner (one INTEGER PRIMARY KEY CHECK (one = 1), facts TEXT NOT NULL);
            CREATE TABLE device_changes (
                number INTEGER PRIMARY KEY, at INTEGER NOT NULL, condition INTEGER NOT NULL, value TEXT,
                source TEXT NOT NULL, overridden INTEGER NOT NULL
            );
            """)
        let name = (0..<2).map { _ in hexadecimal(UInt64.random(in: .min ... .max)) }.joined()
        try connection.execute("INSERT INTO meta VALUES ('store', '\(name)')")
    }

    private static func prepareRetention(_ connection: SQLiteConnection) throws(StoreFailure) {
        try connection.execute(
            """
            CREATE INDEX runs_ended ON runs (ended_at, state) WHERE state >= 3;
            CREATE INDEX device_changes_by_time ON device_changes (at);
            CREATE TABLE dropped (
                one INTEGER PRIMARY KEY CHECK (one = 1), run INTEGER NOT NULL, submission INTEGER NOT NULL
            );
            INSERT INTO dropped VALUES (1, 0, 0);
            """)
    }

    private static func hexadecimal(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
