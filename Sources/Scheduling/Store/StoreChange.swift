/// One change that a transaction of the store makes.
package enum StoreChange: Hashable, Sendable, Codable {
    /// Inserts or replaces the pending request of its identifier.
    case putRequest(PendingRequest)
    case removeRequest(TaskIdentifier)
    /// Inserts or replaces a run.
    case putRun(RunRecord)
    case putTask(TaskFacts)
    case removeTask(TaskIdentifier)
    case putApp(AppFacts)
    case putRunner(RunnerFacts)
    case appendDeviceChange(DeviceChange)
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
}
