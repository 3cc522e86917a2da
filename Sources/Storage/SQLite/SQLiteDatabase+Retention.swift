import Scheduling

extension SQLiteDatabase {
    /// Drops what is too old or too much, in one transaction; with nothing to drop nothing is written.
    func applyRetention(_ retention: Retention, now: WallTime) throws(StoreFailure) -> [RunIdentifier] {
        let oldest = now.advanced(by: .zero - retention.age).milliseconds
        let kept = Int64(max(0, retention.runs))
        var dropped: [Int64] = []
        var submission: Int64 = 0
        try transaction { () throws(StoreFailure) in
            func drop(_ query: Query, _ bound: Int64) throws(StoreFailure) {
                let statement = try prepared(query)
                statement.bind(1, bound)
                while try statement.step() {
                    dropped.append(statement.integer(0))
                    submission = max(submission, statement.integer(1))
                }
            }
            try drop(.dropOldRuns, oldest)
            let surplus = try count(.countEndedRuns) - kept
            if surplus > 0 { try drop(.dropSurplusRuns, surplus) }
            if let highest = dropped.max() { try remember(droppedRun: highest, submission: submission) }
            try dropDeviceChanges(.dropOldDeviceChanges, oldest)
            try dropDeviceChanges(.dropSurplusDeviceChanges, kept)
        }
        return dropped.sorted().map { RunIdentifier($0) }
    }

    private func count(_ query: Query) throws(StoreFailure) -> Int64 {
        let statement = try prepared(query)
        defer { statement.reset() }
        return try statement.step() ? statement.integer(0) : 0
    }

    private func dropDeviceChanges(_ query: Query, _ bound: Int64) throws(StoreFailure) {
        let statement = try prepared(query)
        statement.bind(1, bound)
        try statement.run()
    }
}
