import Platform
import Plugins
import RPC
import Scheduling
import Simulation

/// Reads a scenario, and says on standard error what is wrong with it.
struct ScenarioLoading {
    let console: any Console
    let style: Style

    /// More problems are counted, for people; a program gets `most` of them.
    private static let shown = 20
    private static let most = 1_000
    /// How much of a key is shown.
    private static let longestKey = 200

    /// `nil` when there are errors, which have been told.
    /// - Parameter files: gets the paths of all files that were read.
    func load(
        _ path: String, _ options: SimulateOptions, files: inout [String]
    ) throws(ControlFailure) -> Scenario? {
        var paths: [String] = []
        let reading = ScenarioReading.read(path) { path throws(ManifestProblem) in
            paths.append(path)
            return try Self.read(path)
        }
        files += paths
        guard !reading.problems.isEmpty else { return reading.scenario }
        console.complain(options.isJSON ? json(reading.problems) : text(reading.problems))
        return reading.scenario
    }

    // MARK: Private

    private static func read(_ path: String) throws(ManifestProblem) -> [UInt8] {
        do throws(SystemError) {
            return try WholeFile.read(path, limit: ScenarioLimits.fileSize)
        } catch {
            let reason = error.explanation ?? SystemError.text(for: error.code)
            throw ManifestProblem(
                .error, .unreadable, file: path, message: "The scenario cannot be read: \(reason).",
                fix: "Name a file of JSON text; docs/scenarios.md describes it.")
        }
    }

    private func text(_ problems: [ManifestProblem]) -> String {
        var lines: [String] = []
        for problem in problems.prefix(Self.shown) {
            let place = problem.line.map { "\(problem.file):\($0)" } ?? problem.file
            let severity = style.paint(problem.severity.rawValue, problem.severity == .error ? .red : .yellow)
            let key = problem.key.map { "\(Self.cut($0)): " } ?? ""
            lines.append(Printable.text(place) + ": \(severity): " + Printable.text("\(key)\(problem.message)"))
            lines.append("  fix: " + Printable.text(problem.fix))
        }
        if problems.count > Self.shown {
            lines.append("and \(CountedWord.text(problems.count - Self.shown, "more problem")).")
        }
        return lines.joined(separator: "\n")
    }

    /// A key may be as long as the file.
    private static func cut(_ key: String) -> String {
        key.utf8.count > longestKey ? key.prefix(longestKey) + "…" : key
    }

    private func json(_ problems: [ManifestProblem]) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.key("problems")
            writer.array { writer in
                for problem in problems.prefix(Self.most) { ManifestCheck.write(problem, into: &writer) }
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
