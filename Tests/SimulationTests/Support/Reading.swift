import Plugins
import Scheduling

@testable import Simulation

/// Files that are only in memory.
struct ScenarioFiles {
    var files: [String: String]

    func read(_ path: String) -> ScenarioReading {
        ScenarioReading.read(path) { path throws(ManifestProblem) in
            guard let text = files[path] else {
                throw ManifestProblem(
                    .error, .unreadable, file: path, message: "There is no such file.", fix: "Write it.")
            }
            return Array(text.utf8)
        }
    }
}

func read(_ text: String) -> ScenarioReading {
    ScenarioFiles(files: ["day.json": text]).read("day.json")
}
