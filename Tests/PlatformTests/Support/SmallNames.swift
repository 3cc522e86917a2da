@testable import Platform

/// The names in a folder, for tests that import only what others see.
enum SmallNames {
    static func inFolder(_ path: String) -> [String] {
        SmallFile.names(inFolder: path) ?? []
    }
}
