import Glibc

/// Files and folders that are made where nothing was. Nobody else may write into them.
package enum NewFile {
    /// Makes a folder whose parent is there; one that is there already is an error.
    package static func makeFolder(_ path: String) throws(SystemError) {
        guard mkdir(path, 0o755) == 0 else { throw .last("make", path: path) }
    }

    /// Makes the folders between a folder and a file below it, where they are missing.
    package static func makeFolders(below folder: String, for file: String) throws(SystemError) {
        var path = folder
        for name in file.split(separator: "/").dropLast() {
            path += "/\(name)"
            do throws(SystemError) {
                try makeFolder(path)
            } catch {
                guard error.isAlreadyThere else { throw error }
            }
        }
    }

    /// Writes a file; one that is there already is an error.
    package static func write(_ text: String, to path: String, isExecutable: Bool = false) throws(SystemError) {
        let raw = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, isExecutable ? 0o755 : 0o644)
        guard raw >= 0 else { throw .last("make", path: path) }
        let descriptor = OwnedDescriptor(raw)
        switch Array(text.utf8).withUnsafeBytes({ BlockingIO.writeAll(descriptor.raw, $0) }) {
        case .data, .wouldBlock: return
        case .endOfFile: throw SystemError(code: EPIPE, operation: "write", path: path)
        case .failed(let error): throw SystemError(code: error.code, operation: "write", path: path)
        }
    }
}

extension SystemError {
    /// Something of that name is there.
    package var isAlreadyThere: Bool { code == EEXIST }
}
