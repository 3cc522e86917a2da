import Platform

/// Where a new Swift package gets Runner from.
enum PackageSource: Hashable {
    /// A folder, as an absolute path.
    case folder(String)
    /// The address of a git repository.
    case repository(String)

    /// Reads what a person wrote; a relative path begins at the working folder.
    init(_ text: String, workingFolder: String?) {
        if text.contains("://") || text.hasPrefix("git@") {
            self = .repository(text)
        } else if text.hasPrefix("/") {
            self = .folder(text)
        } else {
            self = .folder("\(workingFolder ?? ".")/\(text)")
        }
    }

    /// The checkout that a program was built in; `nil` for an installed one.
    ///
    /// - Parameter isPackage: whether a folder holds the package of Runner.
    static func checkout(around folder: String?, isPackage: (String) -> Bool) -> PackageSource? {
        guard var folder else { return nil }
        while let slash = folder.lastIndex(of: "/"), slash != folder.startIndex {
            if isPackage(folder) { return .folder(folder) }
            folder = String(folder[..<slash])
        }
        return nil
    }
}
