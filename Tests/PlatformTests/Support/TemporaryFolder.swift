import Glibc

/// A folder that goes away with everything in it.
final class TemporaryFolder {
    let path: String

    init() {
        var template = Array("/tmp/runner-tests-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { buffer in
            mkdtemp(buffer.baseAddress!).map { String(cString: $0) }
        }
        path = made!
    }

    deinit {
        Self.remove(path)
    }

    func file(_ name: String) -> String {
        "\(path)/\(name)"
    }

    /// Writes a file, making the folders above it.
    func write(_ text: String, to name: String) {
        var folder = path
        for component in name.split(separator: "/").dropLast() {
            folder += "/\(component)"
            mkdir(folder, 0o755)
        }
        let stream = fopen(file(name), "w")!
        fputs(text, stream)
        fclose(stream)
    }

    private static func remove(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        if status.st_mode & S_IFMT == S_IFDIR, let stream = opendir(path) {
            while let entry = readdir(stream) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                if name != "." && name != ".." { remove("\(path)/\(name)") }
            }
            closedir(stream)
            rmdir(path)
        } else {
            unlink(path)
        }
    }
}
