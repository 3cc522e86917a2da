import Glibc

/// Small work on plain files that are never synced, such as logs.
package enum PlainFile {
    /// A file that grows at its end.
    package final class Appender: Sendable {
        private let descriptor: OwnedDescriptor

        /// Opens the file, or makes it for this user alone.
        package init(_ path: String) throws(SystemError) {
            let raw = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard raw >= 0 else { throw .last("open", path: path) }
            descriptor = OwnedDescriptor(raw)
        }

        /// Writes all bytes; `false` when the disk takes no more.
        @discardableResult
        package func append(_ bytes: [UInt8]) -> Bool {
            bytes.withUnsafeBytes { bytes in
                var rest = bytes[...]
                while !rest.isEmpty {
                    let count = write(descriptor.raw, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                    if count < 0 && errno == EINTR { continue }
                    guard count > 0 else { return false }
                    rest = rest.dropFirst(count)
                }
                return true
            }
        }
    }

    /// Up to `count` bytes from an offset on; `nil` when the file cannot be read.
    package static func read(_ path: String, from offset: Int, count: Int) -> [UInt8]? {
        let raw = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard raw >= 0 else { return nil }
        let descriptor = OwnedDescriptor(raw)
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count, let base = buffer.baseAddress {
                let got = pread(descriptor.raw, base + filled, count - filled, off_t(offset + filled))
                if got < 0 && errno == EINTR { continue }
                guard got > 0 else { return }
                filled += got
            }
        }
    }

    /// The size of a file; 0 when there is none.
    package static func size(_ path: String) -> Int {
        var status = stat()
        return lstat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// The absolute path with every link followed; `nil` when something in it is missing.
    package static func resolvedPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Renames a file, if it is there.
    package static func setAside(_ path: String, as name: String) {
        rename(path, name)
    }

    package static func remove(_ path: String) {
        unlink(path)
    }

    /// Makes a folder for this user alone; one that is there is fine.
    package static func makeFolder(_ path: String) {
        mkdir(path, 0o700)
    }

    /// The names in a folder, sorted; none when it cannot be read.
    package static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = Glibc.readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
