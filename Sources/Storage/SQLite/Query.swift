/// The statements that a store uses while it runs; each is prepared once, when it is first needed.
enum Query: Int, CaseIterable {
    case begin
    case commit
    case putRequest
    case removeRequest
    case putRun
    case putTask
    case removeTask
    case putApp
    case putRunner
    case appendDeviceChange

    case requests
    case unfinishedRuns
    case tasks
    case apps
    case runner
    case highestRun
    case highestSubmissionOfRuns
    case dropped

    case run
    case history
    case historyOfIdentifier
    case deviceChanges

    case dropOldRuns
    case countEndedRuns
    case dropSurplusRuns
    case rememberDropped
    case dropOldDeviceChanges
    case dropSurplusDeviceChanges

    case putMeta
    case removeMeta
    case countRefusal

    var text: String {
        switch self {
        case .begin: "BEGIN IMMEDIATE"
        case .commit: "COMMIT"
        case .putRequest:
            "INSERT OR REPLACE INTO requests (\(RequestColumns.names)) VALUES (\(Query.marks(RequestColumns.count)))"
        case .removeRequest: "DELETE FROM requests WHERE identifier = ?1"
        case .putRun: Query.putRunText
        case .putTask: "INSERT OR REPLACE INTO tasks VALUES (\(Query.marks(5)))"
        case .removeTask: "DELETE FROM tasks WHERE identifier = ?1"
        case .putApp: "INSERT OR REPLACE INTO apps VALUES (?1, ?2)"
        case .putRunner: "INSERT OR REPLACE INTO runner VALUES (1, ?1)"
        case .appendDeviceChange:
            "INSERT INTO device_changes (at, condition, value, source, overridden) VALUES (\(Query.marks(5)))"

        case .requests: "SELECT \(RequestColumns.names) FROM requests"
        case .unfinishedRuns: "SELECT \(RunColumns.names) FROM runs WHERE state < 3 ORDER BY run"
        case .tasks: "SELECT * FROM tasks"
        case .apps: "SELECT facts FROM apps"
        case .runner: "SELECT facts FROM runner"
        case .highestRun: "SELECT max(run) FROM runs"
        // The index is a fraction of the table.
        case .highestSubmissionOfRuns: "SELECT max(submission) FROM runs INDEXED BY runs_by_identifier"
        case .dropped: "SELECT run, submission FROM dropped"

        case .run: "SELECT \(RunColumns.names) FROM runs WHERE run = ?1"
        case .history: "SELECT \(RunColumns.names) FROM runs WHERE \(Query.historyFilter)"
        case .historyOfIdentifier:
            """
            SELECT \(RunColumns.names) FROM runs INDEXED BY runs_by_identifier
            WHERE identifier = ?5 AND \(Query.historyFilter)
            """
        case .deviceChanges:
            """
            SELECT at, condition, value, source, overridden, number FROM device_changes
            WHERE number < ?1 AND (?2 IS NULL OR condition = ?2) ORDER BY number DESC LIMIT ?3
            """

        case .dropOldRuns: "DELETE FROM runs WHERE state >= 3 AND ended_at < ?1 RETURNING run, submission"
        case .countEndedRuns: "SELECT count(*) FROM runs INDEXED BY runs_ended WHERE state >= 3"
        case .dropSurplusRuns:
            """
            DELETE FROM runs WHERE run IN (SELECT run FROM runs WHERE state >= 3 ORDER BY run LIMIT ?1)
            RETURNING run, submission
            """
        case .rememberDropped: "UPDATE dropped SET run = max(run, ?1), submission = max(submission, ?2)"
        case .dropOldDeviceChanges: "DELETE FROM device_changes WHERE at < ?1"
        case .dropSurplusDeviceChanges:
            """
            DELETE FROM device_changes WHERE number <=
            (SELECT number FROM device_changes ORDER BY number DESC LIMIT 1 OFFSET ?1)
            """

        case .putMeta: "INSERT OR REPLACE INTO meta VALUES (?1, ?2)"
        case .removeMeta: "DELETE FROM meta WHERE name = ?1"
        case .countRefusal:
            "INSERT INTO meta VALUES ('refusals', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1"
        }
    }

    private static let historyFilter = """
        run < ?1 AND (?2 IS NULL OR origin = ?2) AND (?3 IS NULL OR state = ?3) ORDER BY run DESC LIMIT ?4
        """

    /// Changes a run in place where it is there already, so that an index is written only when its columns change.
    private static let putRunText: String = {
        let changed = RunColumns.names.split(separator: ", ").dropFirst().map { "\($0) = excluded.\($0)" }
        return """
            INSERT INTO runs (\(RunColumns.names)) VALUES (\(marks(RunColumns.count)))
            ON CONFLICT (run) DO UPDATE SET \(changed.joined(separator: ", "))
            """
    }()

    private static func marks(_ count: Int32) -> String {
        (1...count).map { "?\($0)" }.joined(separator: ", ")
    }
}
