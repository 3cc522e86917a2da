/// Collects what is wrong with one file, so that a single reading finds everything.
///
/// A class, because all the readers of one file write into it; it stays on the thread that reads the file.
package final class ProblemList {
    /// The file that problems are about.
    package let file: String
    package private(set) var problems: [ManifestProblem] = []

    package init(file: String) {
        self.file = file
    }

    package var hasErrors: Bool {
        problems.contains { $0.severity == .error }
    }

    package func error(
        _ name: ManifestProblem.Name, _ key: String? = nil, line: Int? = nil, _ message: String, fix: String
    ) {
        problems.append(
            ManifestProblem(.error, name, file: file, key: key, line: line, message: message, fix: fix))
    }

    package func warning(_ name: ManifestProblem.Name, _ key: String? = nil, _ message: String, fix: String) {
        problems.append(ManifestProblem(.warning, name, file: file, key: key, message: message, fix: fix))
    }

    /// Gives the line of its key to each problem that has none.
    package func addLines(_ line: (_ key: String) -> Int?) {
        for index in problems.indices where problems[index].line == nil {
            problems[index].line = line(problems[index].key ?? "")
        }
    }

    /// Takes over what another file's reading found.
    package func append(_ others: [ManifestProblem]) {
        problems += others
    }
}
