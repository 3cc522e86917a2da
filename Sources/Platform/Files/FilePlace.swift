import Glibc

/// Where a path leads to: the same place for every path to one file, also when there is none yet.
package enum FilePlace: Hashable, Sendable {
    case file(device: UInt, inode: UInt)
    /// Nothing is there; it would be this name in this folder.
    case name(device: UInt, inode: UInt, String)

    /// `nil` where nothing can be overwritten: a device, a pipe, or a folder that is not there.
    package init?(_ path: String) {
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else { return nil }
            self = .file(device: UInt(status.st_dev), inode: UInt(status.st_ino))
            return
        }
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        guard stat(folder, &status) == 0 else { return nil }
        let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        self = .name(device: UInt(status.st_dev), inode: UInt(status.st_ino), name)
    }
}
