import Glibc

/// Whole reads of the kernel's small files and folders, which have no size to ask for.
enum SmallFile {
    /// The file's bytes, cut at the limit; nil when it cannot be opened or read.
    static func read(_ path: String, limit: Int = 1 << 20) -> [UInt8]? {
        let raw = open(path, O_RDONLY | O_CLOEXEC)
        guard raw >= 0 else { return nil }
        let descriptor = OwnedDescriptor(raw)
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: min(limit, 4096))
        while bytes.count < limit {
            switch chunk.withUnsafeMutableBytes({ NonblockingIO.read(descriptor.raw, into: $0) }) {
            case .data(let count): bytes.append(contentsOf: chunk[..<count])
            case .endOfFile: return bytes
            case .wouldBlock, .failed: return nil
            }
        }
        return Array(bytes.prefix(limit))
    }

    /// The file's text without the white space around it.
    static func text(_ path: String, limit: Int = 4096) -> String? {
        guard let bytes = read(path, limit: limit) else { return nil }
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x0A || $0 == 0x09 || $0 == 0x0D }
        guard let first = bytes.firstIndex(where: { !isSpace($0) }),
            let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(decoding: bytes[first...last], as: UTF8.self)
    }

    /// The names in a folder but `.` and `..`, sorted; nil when it cannot be read.
    static func names(inFolder path: String) -> [String]? {
        guard let stream = opendir(path) else { return nil }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
