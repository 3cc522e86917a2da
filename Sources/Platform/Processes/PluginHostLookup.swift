/// Finds the program that loads libraries, `runner-plugin-host`, by where this program is.
package enum PluginHostLookup {
    package static let name = "runner-plugin-host"

    /// The host's path; `nil` when it is nowhere.
    package static func find(near folder: String? = ProcessEnvironment.programFolder) -> String? {
        folder.flatMap { candidates(near: $0).first(where: isProgram) }
    }

    /// Where it may be: beside the program, as in a build folder, and where `make install` puts it.
    package static func candidates(near folder: String) -> [String] {
        let parent = folder.lastIndex(of: "/").map { folder[..<$0] } ?? ""
        return ["\(folder)/\(name)", "\(parent)/libexec/runner/\(name)"]
    }

    private static func isProgram(_ path: String) -> Bool {
        FileStatus(of: path)?.isExecutable == true
    }
}
