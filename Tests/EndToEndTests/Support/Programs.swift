import Foundation

/// Where the programs, the examples and the scripts of these tests are.
enum Programs {
    /// The folder that was built into: `RUNNER_BIN`, else where the tests themselves are.
    static let folder: URL = {
        if let named = ProcessInfo.processInfo.environment["RUNNER_BIN"], !named.isEmpty {
            return URL(fileURLWithPath: named)
        }
        return URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    }()

    static let runnerd = folder.appendingPathComponent("runnerd")
    static let runnerctl = folder.appendingPathComponent("runnerctl")
    static let pluginHost = folder.appendingPathComponent("runner-plugin-host")
    static let quickstart = folder.appendingPathComponent("quickstart")
    /// Not whichever one `PATH` has: the examples use this one too.
    static let python = URL(fileURLWithPath: "/usr/bin/python3")
    /// One that has the packages of `.ci/requirements.txt`, which `make venv` makes. Its name is a link, and must stay one.
    static let pythonWithPackages = support.appendingPathComponent("../../../.build/venv/bin/python")
    static let bash = URL(fileURLWithPath: "/bin/bash")
    /// Finds what follows it in `PATH`.
    static let env = URL(fileURLWithPath: "/usr/bin/env")

    static let support = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    static let fixtures = support.appendingPathComponent("../../Fixtures").standardizedFileURL
    static let examples = support.appendingPathComponent("../../../examples").standardizedFileURL

    /// Finds its packages by the path by which it is called, so links in that path must stay.
    static let libraryPython = support.path + "/../../../.build/venv/bin/python"

    /// Whether `make venv` was made.
    static let hasLibraryPython = FileManager.default.isExecutableFile(atPath: libraryPython)

    static func script(_ name: String) -> URL {
        support.appendingPathComponent(name)
    }
}
