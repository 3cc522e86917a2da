// A program with one programmer's error; its argument, which is the last word of its identifier, says which.
import BackgroundTasks

private let word = CommandLine.arguments.last ?? ""
private let task = "com.example.misuse.\(word)"

private func register() {
    BGTaskScheduler.shared.register(forTaskWithIdentifier: task, using: nil) { task in
        let task = task as! BGProcessingTask
        task.setTaskCompleted(success: true)
    }
}

let imitated = ProcessInfo.processInfo.environment["RUNNER_COMPAT"] ?? "nothing"
FileHandle.standardError.write(Data("imitates \(imitated)\n".utf8))
switch word {
case "twice":
    register()
    register()
case "unregistered": try? BGTaskScheduler.shared.submit(BGProcessingTaskRequest(identifier: task))
case "late":
    // The first use begins the launch, which ends with the first turn of the main queue.
    BGTaskScheduler.shared.cancelAllTaskRequests()
    DispatchQueue.main.async { DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(100)) { register() } }
default: register()
}
RunLoop.main.run()
