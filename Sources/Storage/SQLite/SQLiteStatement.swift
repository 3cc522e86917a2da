import CSQLite
import Scheduling

/// A prepared statement: bind every parameter from 1, step through the rows, read the columns from 0.
///
/// Texts are copied once, into memory that lives as long as the statement, and SQLite reads them there.
final class SQLiteStatement {
    private static let textCapacity = 2_048

    private let handle: OpaquePointer
    private let connection: SQLiteConnection
    private let texts = UnsafeMutablePointer<UInt8>.allocate(capacity: textCapacity)
    private var textsUsed = 0
    /// The first failure of a bind since the last reset; stepping reports it.
    private var bindCode = SQLITE_OK

    init(_ handle: OpaquePointer, connection: SQLiteConnection) {
        self.handle = handle
        self.connection = connection
    }

    deinit {
        sqlite3_finalize(handle)
        texts.deallocate()
    }

    // MARK: Binding

    func bind(_ index: Int32, _ value: Int64) {
        note(sqlite3_bind_int64(handle, index, value))
    }

    func bind(_ index: Int32, _ value: Int) {
        bind(index, Int64(value))
    }

    func bind(_ index: Int32, _ value: Bool) {
        bind(index, value ? 1 as Int64 : 0)
    }

    func bind(_ index: Int32, _ value: Int64?) {
        guard let value else { return bindNull(index) }
        bind(index, value)
    }

    func bind(_ index: Int32, _ value: Double?) {
        guard let value else { return bindNull(index) }
        note(sqlite3_bind_double(handle, index, value))
    }

    func bind(_ index: Int32, _ value: String?) {
        guard let value else { return bindNull(index) }
        bind(index, value)
    }

    func bind(_ index: Int32, _ value: String) {
        var value = value
        value.withUTF8 { bytes in
            guard textsUsed + bytes.count <= SQLiteStatement.textCapacity else {
                // Too long for our memory: SQLite makes a copy of its own.
                let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
                bindText(index, bytes.baseAddress, bytes.count, copied)
                return
            }
            let place = texts + textsUsed
            if let start = bytes.baseAddress { place.update(from: start, count: bytes.count) }
            textsUsed += bytes.count
            bindText(index, place, bytes.count, nil)
        }
    }

    private func bindText(
        _ index: Int32, _ start: UnsafePointer<UInt8>?, _ count: Int, _ destructor: sqlite3_destructor_type?
    ) {
        note(
            sqlite3_bind_text64(
                handle, index, UnsafeRawPointer(start)?.assumingMemoryBound(to: CChar.self), UInt64(count), destructor,
                UInt8(SQLITE_UTF8)))
    }

    private func bindNull(_ index: Int32) {
        note(sqlite3_bind_null(handle, index))
    }

    private func note(_ code: Int32) {
        if code != SQLITE_OK, bindCode == SQLITE_OK { bindCode = code }
    }

    // MARK: Running

    /// Moves to the next row; false after the last one, and the statement is then ready for its next use.
    func step() throws(StoreFailure) -> Bool {
        guard bindCode == SQLITE_OK else {
            let failure = connection.failure(bindCode)
            reset()
            throw failure
        }
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        guard code == SQLITE_DONE else {
            let failure = connection.failure(code)
            reset()
            throw failure
        }
        reset()
        return false
    }

    /// Runs a statement that gives no rows.
    func run() throws(StoreFailure) {
        while try step() {}
    }

    /// Leaves the rows; the statement is ready for its next use.
    func reset() {
        sqlite3_reset(handle)
        textsUsed = 0
        bindCode = SQLITE_OK
    }

    // MARK: Reading

    func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    func integer(_ column: Int32) -> Int64 {
        sqlite3_column_int64(handle, column)
    }

    func flag(_ column: Int32) -> Bool {
        sqlite3_column_int64(handle, column) != 0
    }

    func optionalInteger(_ column: Int32) -> Int64? {
        isNull(column) ? nil : integer(column)
    }

    func optionalDouble(_ column: Int32) -> Double? {
        isNull(column) ? nil : sqlite3_column_double(handle, column)
    }

    /// The bytes of a text, valid until the next step. Asked for as a blob, because SQLite would else copy them to add
    /// the NUL that only C needs.
    func bytes(_ column: Int32) -> UnsafeBufferPointer<UInt8> {
        guard let start = sqlite3_column_blob(handle, column) else { return UnsafeBufferPointer(start: nil, count: 0) }
        let count = Int(sqlite3_column_bytes(handle, column))
        return UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt8.self), count: count)
    }

    func text(_ column: Int32) -> String {
        String(decoding: bytes(column), as: UTF8.self)
    }

    func optionalText(_ column: Int32) -> String? {
        isNull(column) ? nil : text(column)
    }

    /// A row that no version of ours can have written.
    func damaged() -> StoreFailure {
        reset()
        return StoreFailure(.corrupt, folder: connection.folder)
    }
}
