import Foundation
import Runner

let manifest = try Manifest(
    identifier: "com.example.quickstart",
    permittedIdentifiers: ["com.example.quickstart.refresh", "com.example.quickstart.cleanup"],
    backgroundModes: ["fetch", "processing"])

let runner = TaskRunner(manifest: manifest)

try runner.register("com.example.quickstart.refresh") { task in
    // The next one is asked for first, so that it comes whatever becomes of this one.
    try await task.submit(TaskRequest("com.example.quickstart.refresh", earliestBeginDate: Date() + 15 * 60))
    print("refreshed in run \(task.runNumber), \(task.origin.rawValue)")
}

try runner.register("com.example.quickstart.cleanup", kind: .processing) { task in
    for folder in 1...20 {
        // Throws when the task is expired, and the run ends.
        try await Task.sleep(for: .milliseconds(250))
        task.reportProgress(Double(folder) / 20, title: "folder \(folder) of 20")
    }
}

try await runner.run()
