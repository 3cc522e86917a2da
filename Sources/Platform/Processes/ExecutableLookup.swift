import Glibc

/// Finds programs by name, before a child is made: looking up is not safe between clone and exec.
package enum ExecutableLookup {
    /// What is searched when the environment has no PATH.
    package static let defaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

    /// The path to start for a name. A name with a slash is that path already; others are searched in the folders
    /// of `path`, where relative ones (and empty ones, which mean the working folder) are skipped.
    package static func find(_ name: String, path: String?) -> String? {
        guard !name.isEmpty else { return nil }
        if name.utf8.contains(UInt8(ascii: "/")) { return name }
        for folder in (path ?? defaultPath).split(separator: ":") where folder.hasPrefix("/") {
            let candidate = "\(folder)/\(name)"
            var status = stat()
            if stat(candidate, &status) == 0, status.st_mode & S_IFMT == S_IFREG, access(candidate, X_OK) == 0 {
                return candidate
            }
        }
        return nil
    }
}
