import Scheduling

/// What could still be read of a damaged database; `nil` is what could not.
struct SalvagedContents {
    var requests: [PendingRequest]?
    var unfinishedRuns: [RunRecord]?
    var tasks: [TaskFacts]?
    var apps: [AppFacts]?
    var runner: RunnerFacts?

    /// One sentence for a person.
    var summary: String {
        switch (requests, unfinishedRuns) {
        case (nil, _): "The store was damaged: its pending requests and history are only in the file set aside."
        case (_, nil):
            "The store was damaged: pending requests were kept; unfinished runs and history are only in the file set aside."
        case (_, _): "The store was damaged: pending requests were kept; history is only in the file set aside."
        }
    }

    /// The changes that put it into a new database.
    var changes: [StoreChange] {
        var changes: [StoreChange] = (requests ?? []).map { .putRequest($0) }
        changes += (unfinishedRuns ?? []).map { .putRun($0) }
        changes += (tasks ?? []).map { .putTask($0) }
        changes += (apps ?? []).map { .putApp($0) }
        if let runner { changes.append(.putRunner(runner)) }
        return changes
    }
}
