/// How the database file is laid out and written. The defaults were found by measuring one-row commits.
package struct SQLiteOptions: Sendable {
    /// Bytes in a page; it counts only when the file is made. A commit writes whole pages, so small ones are faster.
    package var pageSize = 1_024
    /// Pages in the journal after which they are moved into the file; the journal is then used again from its start.
    package var checkpointPages = 1_000
    /// The journal is cut to this many bytes when a large transaction made it longer.
    package var journalSizeLimit = 4 * 1_024 * 1_024

    /// The file may not grow beyond this many pages; tests use it to be a full disk.
    var largestPageCount: Int?
    /// Every write is refused; tests use it to be a read-only disk.
    var refusesWrites = false
    /// The name of the SQLite file layer to use instead of the usual one; tests use it to make the disk fail.
    var fileLayer: String?

    package init() {}
}
