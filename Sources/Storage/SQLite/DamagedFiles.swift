import Glibc
import Scheduling

/// Sets a damaged database aside: nothing of it is lost, and a person can look at it.
enum DamagedFiles {
    private static let endings = ["-wal", "-shm", ""]

    /// Renames the folder's database with what belongs to it, and returns its new path.
    static func setAside(in folder: String, at time: WallTime) throws(StoreFailure) -> String {
        let path = folder + "/" + SQLiteConnection.fileName
        let stem = freeStem(path + ".damaged-" + stamp(time))
        // The journal goes first: a file without its journal is merely older, but a new file beside an old journal
        // would make SQLite delete it.
        for ending in endings where exists(path + ending) {
            guard rename(path + ending, stem + ending) == 0 else {
                throw StoreFailure(code: 0, systemError: errno, folder: folder)
            }
        }
        return stem
    }

    private static func freeStem(_ wanted: String) -> String {
        var stem = wanted
        var number = 2
        while endings.contains(where: { exists(stem + $0) }) {
            stem = "\(wanted)-\(number)"
            number += 1
        }
        return stem
    }

    private static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// The time in UTC as `YYYYMMDDTHHMMSSZ`.
    private static func stamp(_ time: WallTime) -> String {
        var seconds = time_t(time.milliseconds / 1_000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func digits(_ value: Int32, _ count: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
        }
        return digits(parts.tm_year + 1_900, 4) + digits(parts.tm_mon + 1, 2) + digits(parts.tm_mday, 2) + "T"
            + digits(parts.tm_hour, 2) + digits(parts.tm_min, 2) + digits(parts.tm_sec, 2) + "Z"
    }
}
