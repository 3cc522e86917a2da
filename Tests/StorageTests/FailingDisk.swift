import CSQLite
import Glibc
import Platform

/// A file layer for SQLite that is the usual one until it is told to fail. Used by one suite, whose tests take turns.
enum FailingDisk {
    static let name = "failing-disk"

    enum Fault {
        case none
        case syncFails
        case writesFail
        case readsFail
    }

    private static let fault = Locked(Fault.none)

    static func setFault(_ new: Fault) {
        fault.withLock { $0 = new }
    }

    private static func has(_ asked: Fault) -> Bool {
        fault.withLock { $0 == asked }
    }

    // Unsafe because they are C structures; they are written once, by `register`, and only read afterwards.
    private nonisolated(unsafe) static let usual = sqlite3_vfs_find(nil)!
    private nonisolated(unsafe) static var usualMethods: sqlite3_io_methods?

    /// Makes the layer known to SQLite; later calls change nothing.
    static let register: Void = {
        let layer = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        layer.initialize(to: usual.pointee)
        layer.pointee.zName = UnsafePointer(strdup(name))
        layer.pointee.pNext = nil
        layer.pointee.xOpen = { _, path, file, flags, outFlags in
            let code = FailingDisk.usual.pointee.xOpen(FailingDisk.usual, path, file, flags, outFlags)
            guard code == SQLITE_OK, let file, let methods = file.pointee.pMethods else { return code }
            // Each open file gets its own table of functions, which stays for the life of the test process.
            let own = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
            own.initialize(to: methods.pointee)
            FailingDisk.usualMethods = methods.pointee
            own.pointee.xSync = { file, flags in
                if FailingDisk.has(.syncFails) { return SQLITE_IOERR | (4 << 8) }
                return FailingDisk.usualMethods?.xSync(file, flags) ?? SQLITE_IOERR
            }
            own.pointee.xWrite = { file, bytes, count, offset in
                if FailingDisk.has(.writesFail) { return SQLITE_FULL }
                return FailingDisk.usualMethods?.xWrite(file, bytes, count, offset) ?? SQLITE_IOERR
            }
            own.pointee.xRead = { file, bytes, count, offset in
                if FailingDisk.has(.readsFail) { return SQLITE_IOERR | (1 << 8) }
                return FailingDisk.usualMethods?.xRead(file, bytes, count, offset) ?? SQLITE_IOERR
            }
            file.pointee.pMethods = UnsafePointer(own)
            return code
        }
        sqlite3_vfs_register(layer, 0)
    }()
}
