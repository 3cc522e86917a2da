import CSQLite
import Scheduling

/// One connection to a database file; one thread at a time uses it.
final class SQLiteConnection {
    static let fileName = "runner.sqlite"

    let folder: String
    let path: String
    private var handle: OpaquePointer?

    /// Opens the folder's database, or makes it; nothing is read yet.
    init(folder: String, fileLayer: String? = nil) throws(StoreFailure) {
        self.folder = folder
        path = folder + "/" + SQLiteConnection.fileName
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &handle, flags, fileLayer)
        guard code == SQLITE_OK else {
            let failure = failure(code)
            close()
            throw failure
        }
        // SQLite falls back to reading alone; nothing could be promised then.
        guard sqlite3_db_readonly(handle, "main") != 1 else {
            close()
            throw StoreFailure(.readOnly, folder: folder)
        }
        sqlite3_busy_timeout(handle, 0)
    }

    deinit {
        close()
    }

    /// Closes the file; statements that are still there keep it open until they go.
    func close() {
        sqlite3_close_v2(handle)
        handle = nil
    }

    /// Whether a transaction is open; SQLite ends one by itself after some failures.
    var isInTransaction: Bool {
        sqlite3_get_autocommit(handle) == 0
    }

    /// Whether the path names another file than the open one, or none.
    var hasMoved: Bool {
        var moved: Int32 = 0
        let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved)
        return code == SQLITE_OK && moved != 0
    }

    /// Runs statements whose rows nobody needs.
    func execute(_ text: String) throws(StoreFailure) {
        let code = sqlite3_exec(handle, text, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// Prepares a statement that is used again and again.
    func prepare(_ text: String) throws(StoreFailure) -> SQLiteStatement {
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared else { throw failure(code) }
        return SQLiteStatement(prepared, connection: self)
    }

    /// The first column of the first row as a number; 0 without a row.
    func number(_ text: String) throws(StoreFailure) -> Int64 {
        let statement = try prepare(text)
        return try statement.step() ? statement.integer(0) : 0
    }

    /// The first column of the first row as text.
    func text(_ text: String) throws(StoreFailure) -> String? {
        let statement = try prepare(text)
        return try statement.step() ? statement.optionalText(0) : nil
    }

    func failure(_ code: Int32) -> StoreFailure {
        StoreFailure(code: code, systemError: handle == nil ? 0 : sqlite3_system_errno(handle), folder: folder)
    }
}
