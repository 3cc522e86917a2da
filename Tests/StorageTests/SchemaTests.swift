import FoundationEssentials
import Scheduling
import Testing

@testable import Storage

@Suite("The schema")
struct SchemaTests {
    /// A store of version 1 as its Runner wrote it, with one request and one run.
    private static let versionOne = """
        PRAGMA page_size = 1024; PRAGMA journal_mode = WAL; BEGIN;
        CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE requests (identifier TEXT PRIMARY KEY, app TEXT NOT NULL, traits INTEGER NOT NULL, floor INTEGER,
            title TEXT, subtitle TEXT, submitted_at INTEGER NOT NULL, submitted_boot INTEGER NOT NULL,
            boot TEXT NOT NULL, submission INTEGER NOT NULL, attempts INTEGER NOT NULL,
            postponements INTEGER NOT NULL, backoff_until INTEGER) WITHOUT ROWID;
        CREATE TABLE runs (run INTEGER PRIMARY KEY, identifier TEXT NOT NULL, app TEXT NOT NULL,
            traits INTEGER NOT NULL, floor INTEGER, title TEXT, subtitle TEXT, submitted_at INTEGER NOT NULL,
            submitted_boot INTEGER NOT NULL, boot TEXT NOT NULL, submission INTEGER NOT NULL,
            attempts INTEGER NOT NULL, postponements INTEGER NOT NULL, backoff_until INTEGER,
            origin INTEGER NOT NULL, attempt INTEGER NOT NULL, state INTEGER NOT NULL,
            claim_cancelled INTEGER NOT NULL, waited INTEGER NOT NULL, waits TEXT, started_at INTEGER NOT NULL,
            started_boot INTEGER NOT NULL, ended_at INTEGER, ended_boot INTEGER, budget INTEGER, expired_at INTEGER,
            reason INTEGER, message TEXT, progress REAL, progress_title TEXT, progress_subtitle TEXT,
            exit_code INTEGER, exit_signal INTEGER, process_group INTEGER, process_start INTEGER, process_boot TEXT,
            diagnostics TEXT);
        CREATE INDEX runs_by_identifier ON runs (identifier, run, submission);
        CREATE INDEX runs_unfinished ON runs (run) WHERE state < 3;
        CREATE TABLE tasks (identifier TEXT PRIMARY KEY, last_scheduled_start INTEGER, retries INTEGER NOT NULL,
            refused_rearms INTEGER NOT NULL, stranded_since INTEGER) WITHOUT ROWID;
        CREATE TABLE apps (app TEXT PRIMARY KEY, facts TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE runner (one INTEGER PRIMARY KEY CHECK (one = 1), facts TEXT NOT NULL);
        CREATE TABLE device_changes (number INTEGER PRIMARY KEY, at INTEGER NOT NULL, condition INTEGER NOT NULL,
            value TEXT, source TEXT NOT NULL, overridden INTEGER NOT NULL);
        INSERT INTO meta VALUES ('store', 'first');
        INSERT INTO runner VALUES (1, '{"nextSubmission":9,"nextRun":4,"stoppedCleanly":false,"overrides":[]}');
        INSERT INTO requests VALUES ('com.example.old', 'com.example', 87, 5, NULL, NULL, 6, 7, 'boot', 8, 0, 1, NULL);
        INSERT INTO runs (run, identifier, app, traits, submitted_at, submitted_boot, boot, submission, attempts,
            postponements, origin, attempt, state, claim_cancelled, waited, waits, started_at, started_boot, ended_at)
            VALUES (3, 'com.example.old', 'com.example', 0, 1, 2, 'boot', 4, 0, 0, 0, 1, 3, 0, 9,
            '[{"gate":"network","milliseconds":9}]', 10, 11, 12);
        PRAGMA user_version = 1; COMMIT;
        """

    private func write(_ text: String, to folder: TemporaryFolder) throws {
        let connection = try SQLiteConnection(folder: folder.path)
        try connection.execute(text)
        connection.close()
    }

    @Test("a store of version 1 is brought to the newest, with all it holds")
    func migrates() throws {
        let folder = try TemporaryFolder()
        try write(SchemaTests.versionOne, to: folder)
        let store = try openStore(folder)
        #expect(store.report().schemaVersion == 4)
        #expect(store.report().identifier == "first")
        #expect(store.report().recovered == nil)
        let contents = try store.load()
        let request = try #require(contents.requests.first)
        #expect(contents.requests.count == 1)
        #expect(request.identifier == Sample.identifier("old"))
        #expect(request.kind == .processing)
        #expect(request.requiresNetworkConnectivity && request.requiresExternalPower)
        #expect(request.maker == .recurrence)
        #expect(request.strategy == .fail)
        #expect(request.floor == WallTime(milliseconds: 5))
        #expect(request.postponements == 1)
        #expect(contents.highestRun == 3)
        #expect(contents.runner.nextRun == 4)
        #expect(contents.runner.leftovers.isEmpty)
        let run = try #require(try store.run(RunIdentifier(3)))
        #expect(run.state == .succeeded)
        #expect(run.waits == [GateWait(gate: .network, milliseconds: 9)])
        #expect(try store.applyRetention(Retention(), now: noon) == [RunIdentifier(3)])
        store.close()
        #expect(try openStore(folder).load().highestRun == 3)
    }

    @Test("a store of a newer version is refused and left as it is")
    func refusesNewer() throws {
        let folder = try TemporaryFolder()
        try openStore(folder).close()
        try write("PRAGMA user_version = \(Schema.version + 1)", to: folder)
        let before = try Data(contentsOf: folder.file("runner.sqlite"))
        let refused = failure { _ = try openStore(folder) }
        #expect(refused?.kind == .newerSchema)
        #expect(refused?.message.contains(folder.path) == true)
        #expect(try folder.names() == ["runner.sqlite"])
        #expect(try Data(contentsOf: folder.file("runner.sqlite")) == before)
    }

    @Test("each new store has a name of its own, and keeps it")
    func identifiers() throws {
        let folders = [try TemporaryFolder(), try TemporaryFolder()]
        let names = try folders.map { try openStore($0).report().identifier }
        #expect(names[0] != names[1])
        #expect(names[0].utf8.count == 32)
        #expect(try openStore(folders[0]).report().identifier == names[0])
        #expect(try openStore(folders[0]).report().path == folders[0].path + "/runner.sqlite")
    }

    @Test("a code stands for the value that it is given")
    func codes() {
        func check<Value: StoredCode & Equatable>(_ values: [Value]) {
            for value in values { #expect(Value.decoded(value.code) == value) }
            #expect(Set(values.map(\.code)).count == values.count)
            #expect(Value.decoded(Int64(values.count)) == nil)
            #expect(Value.decoded(-1) == nil)
        }
        check(TaskKind.allCases)
        check(SubmissionStrategy.allCases)
        check([RequestMaker.caller, .recurrence, .retry])
        check(RunOrigin.allCases)
        check(RunState.allCases)
        check(ExpirationReason.allCases)
        check(DeviceCondition.allCases)
    }

    @Test("the codes of the states that have not ended are those that the indexes know")
    func unfinishedCodes() {
        for state in RunState.allCases { #expect(state.isEnded == (state.code >= 3)) }
    }

    @Test("every statement is one that the newest schema understands", arguments: Query.allCases)
    func statements(query: Query) throws {
        let folder = try TemporaryFolder()
        try openStore(folder).close()
        let database = try SQLiteDatabase(try SQLiteConnection(folder: folder.path), options: SQLiteOptions())
        _ = try database.prepared(query)
    }
}
