/// One change that a transaction of the store makes.
package enum StoreChange: Hashable, Sendable, Codable {
    /// Inserts or replaces the pending request of its identifier.
    indirect case putRequest(PendingRequest)
    case removeRequest(TaskIdentifier)
    /// Inserts or replaces a run.
    indirect case putRun(RunRecord)
    indirect case putTask(TaskFacts)
    case removeTask(TaskIdentifier)
    indirect case putApp(AppFacts)
    indirect case putRunner(RunnerFacts)
    indirect case appendDeviceChange(DeviceChange)
}

/// What a scheduler starts from: everything in the store that decides.
package struct StoreContents: Hashable, Sendable, Codable {
    package var requests: [PendingRequest] = []
    /// Runs that have not ended; ended ones are history and stay in the store.
    package var unfinishedRuns: [RunRecord] = []
    package var tasks: [TaskFacts] = []
    package var apps: [AppFacts] = []
    package var runner = RunnerFacts()
    /// The highest numbers that the store holds.
    package var highestRun: Int64 = 0
    package var highestSubmission: Int64 = 0

    package init() {}

    /// The runs whose processes may live on: those that had not ended, and those that an earlier start saw living on.
    package var leftovers: [Leftover] {
        let unfinished = unfinishedRuns.map(Leftover.init)
        let runs = Set(unfinished.map(\.run))
        return runner.leftovers.filter { !runs.contains($0.run) } + unfinished
    }
}
