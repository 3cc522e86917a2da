import CSQLite
import Glibc
import Scheduling

extension StoreFailure {
    /// The failure for a result code of SQLite: one sentence that names the folder and says what to do.
    init(code: Int32, systemError: Int32, folder: String) {
        self.init(StoreFailure.kind(code: code, systemError: systemError), folder: folder, systemError: systemError)
    }

    /// The failure of this kind in this folder.
    init(_ kind: Kind, folder: String, systemError: Int32 = 0) {
        switch kind {
        case .full:
            self.init(kind, "The disk that holds \(folder) is full: free some space there; nothing was changed.")
        case .readOnly:
            self.init(
                kind, "The folder \(folder) cannot be written: make it writable for this user; nothing was changed.")
        case .locked:
            self.init(kind, "The store in \(folder) is used by another process: stop that one or use another folder.")
        case .corrupt:
            self.init(kind, "The store in \(folder) is damaged: restart Runner, which sets it aside.")
        case .inputOutput:
            let cause = systemError == 0 ? "" : " (\(String(cString: strerror(systemError))))"
            self.init(
                kind,
                "Reading or writing in \(folder) failed\(cause): check that it is there and that its disk is healthy.")
        case .newerSchema:
            self.init(
                kind, "The store in \(folder) was written by a newer Runner: install that version or a newer one.")
        case .moved:
            self.init(
                kind,
                "The store in \(folder) was moved or deleted while Runner used it: put it back, or restart Runner, which "
                    + "begins anew without it.")
        case .closed:
            self.init(kind, "The store in \(folder) was closed: open it again.")
        }
    }

    private static func kind(code: Int32, systemError: Int32) -> Kind {
        // The low byte is the family; the rest says where in it.
        switch code & 0xFF {
        case SQLITE_FULL: .full
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: .readOnly
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .locked
        // A plain error from a fixed statement means that the tables are not what they should be.
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT, SQLITE_ERROR, SQLITE_SCHEMA, SQLITE_CONSTRAINT,
            SQLITE_MISMATCH:
            .corrupt
        default:
            switch systemError {
            case ENOSPC, EDQUOT: .full
            case EACCES, EPERM, EROFS: .readOnly
            default: .inputOutput
            }
        }
    }
}
