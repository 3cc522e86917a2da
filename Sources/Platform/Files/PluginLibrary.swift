import CLinux

/// A shared library that the plugin host is to load. Looking at it runs nothing of it.
package enum PluginLibrary {
    /// Why a file cannot be loaded.
    package struct Problem: Hashable, Sendable {
        /// What is wrong, to follow the path in a sentence: `is no ELF file`.
        package var words: String
        /// What to do about it, as a sentence.
        package var fix: String
    }

    /// The C function that a plugin exports, `int runner_plugin_main(int)`.
    package static let entryPoint = "runner_plugin_main"

    /// What is wrong with a file; `nil` when it is a library for this machine that exports the entry point.
    ///
    /// That it can be loaded is not certain then: what it needs may be missing, which only loading it tells.
    package static func problem(of path: String) -> Problem? {
        var problem = runner_library_problem()
        guard runner_examine_library(path, entryPoint, &problem) != 0 else { return nil }
        return Problem(words: text(of: problem.words), fix: text(of: problem.fix))
    }

    /// The text in an array of C, which ends with NUL.
    private static func text<Characters>(of characters: Characters) -> String {
        withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
