import CLinux
import Glibc

/// Why a state folder could not be locked.
package enum StateLockFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// A process has it; its number, if the lock file names one.
    case held(by: Int32?, folder: String)
    case system(SystemError)

    package var description: String {
        switch self {
        case .held(let holder, let folder):
            "the state folder \(folder) is in use by "
                + (holder.map { "process \($0)" } ?? "another process") + "; stop it, or choose another folder"
        case .system(let error):
            String(describing: error)
        }
    }
}

/// Keeps a state folder for one process, until it is released or the process ends, however it ends.
package final class StateLock: Sendable {
    package static let fileName = "lock"

    private let file: OwnedDescriptor

    private init(file: OwnedDescriptor) {
        self.file = file
    }

    /// Locks the folder, or says at once who has it.
    package static func acquire(folder: String) throws(StateLockFailure) -> StateLock {
        let path = folder + "/" + fileName
        // The file stays for ever: if it were removed, two processes could lock two files of the same name.
        let raw = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard raw >= 0 else { throw .system(.last("open", path: path)) }
        let file = OwnedDescriptor(raw)
        let result = runner_lock_exclusively(file.raw)
        guard result != -EAGAIN else { throw .held(by: holder(path), folder: folder) }
        guard result >= 0 else { throw .system(SystemError(code: -result, operation: "lock", path: path)) }

        var text = Array("\(getpid())\n".utf8)
        let written = text.withUnsafeMutableBytes { pwrite(file.raw, $0.baseAddress, $0.count, 0) }
        guard written == text.count, ftruncate(file.raw, off_t(text.count)) == 0 else {
            throw .system(.last("write to", path: path))
        }
        return StateLock(file: file)
    }

    deinit {
        release()
    }

    /// Gives the folder free; so does dropping the lock.
    package func release() {
        // Closing alone would leave the lock to a child that is just being started and has not closed its copy yet.
        if file.raw >= 0 { runner_unlock(file.raw) }
        file.close()
    }

    // MARK: Private

    private static func holder(_ path: String) -> Int32? {
        SmallFile.text(path).flatMap { Int32($0) }
    }
}
