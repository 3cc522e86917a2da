import FoundationEssentials
import Platform

/// The arithmetic of paths, and where links lead.
enum FilePath {
    /// The path with every link followed; as it is when something in it is missing.
    static func resolved(_ path: String) -> String {
        if let resolved = PlainFile.resolvedPath(path) { return resolved }
        let resolved = URL(filePath: path).resolvingSymlinksInPath().path
        return resolved.count > 1 && resolved.hasSuffix("/") ? String(resolved.dropLast()) : resolved
    }

    static func isAbsolute(_ path: String) -> Bool { path.hasPrefix("/") }

    static func join(_ folder: String, _ name: String) -> String {
        folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }

    /// The last component.
    static func name(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    /// Everything before the last component; `.` when there is nothing.
    static func folder(_ path: String) -> String {
        var path = path[...]
        while path.count > 1, path.last == "/" { path.removeLast() }
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// A relative path without `.` and `..`; `nil` when it leads out of the folder that it is relative to.
    static func normalized(relative path: String) -> String? {
        var components: [Substring] = []
        for component in path.split(separator: "/") where component != "." {
            if component != ".." {
                components.append(component)
            } else if components.popLast() == nil {
                return nil
            }
        }
        return components.joined(separator: "/")
    }

    /// The path below a folder, both without links; `nil` when it is not below, and empty for the folder itself.
    static func relative(_ path: String, below folder: String) -> String? {
        if path == folder { return "" }
        let prefix = folder.hasSuffix("/") ? folder : folder + "/"
        return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : nil
    }
}
