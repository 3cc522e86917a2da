import Scheduling

extension SQLiteDatabase {
    /// Everything that decides; ended runs stay where they are.
    func contents() throws(StoreFailure) -> StoreContents {
        var contents = StoreContents()
        contents.requests = try requests()
        contents.unfinishedRuns = try runs(.unfinishedRuns) { _ in }
        contents.tasks = try tasks()
        contents.apps = try apps()
        contents.runner = try runner()
        for request in contents.requests {
            contents.highestSubmission = max(contents.highestSubmission, request.submission)
        }
        try rows(.highestRun) { row in contents.highestRun = row.integer(0) }
        try rows(.highestSubmissionOfRuns) { row in
            contents.highestSubmission = max(contents.highestSubmission, row.integer(0))
        }
        try rows(.dropped) { row in
            contents.highestRun = max(contents.highestRun, row.integer(0))
            contents.highestSubmission = max(contents.highestSubmission, row.integer(1))
        }
        return contents
    }

    /// What can still be read of a damaged database, each table whole or not at all.
    func salvage() -> SalvagedContents {
        SalvagedContents(
            requests: try? requests(), unfinishedRuns: try? runs(.unfinishedRuns) { _ in }, tasks: try? tasks(),
            apps: try? apps(), runner: try? runner())
    }

    func run(_ run: RunIdentifier) throws(StoreFailure) -> RunRecord? {
        try runs(.run) { $0.bind(1, run.number) }.first
    }

    func history(_ query: HistoryQuery) throws(StoreFailure) -> HistoryPage {
        guard query.limit > 0 else { return HistoryPage(runs: []) }
        // One more than asked for tells whether there is another page.
        let wanted = min(query.limit, Int.max - 1) + 1
        var runs = try runs(query.identifier == nil ? .history : .historyOfIdentifier) { statement in
            statement.bind(1, query.before?.number ?? Int64.max)
            statement.bind(2, query.origin)
            statement.bind(3, query.state)
            statement.bind(4, wanted)
            if let identifier = query.identifier { statement.bind(5, identifier.text) }
        }
        guard runs.count == wanted else { return HistoryPage(runs: runs) }
        runs.removeLast()
        return HistoryPage(runs: runs, next: runs.last?.run)
    }

    func deviceChanges(_ query: DeviceChangeQuery) throws(StoreFailure) -> DeviceChangePage {
        guard query.limit > 0 else { return DeviceChangePage(changes: []) }
        // One more than asked for tells whether there is another page.
        let wanted = min(query.limit, Int.max - 1) + 1
        var page = DeviceChangePage(changes: [])
        let statement = try prepared(.deviceChanges)
        statement.bind(1, query.before ?? Int64.max)
        statement.bind(2, query.condition)
        statement.bind(3, wanted)
        var last: Int64?
        while try statement.step() {
            guard page.changes.count < query.limit else {
                page.next = last
                continue
            }
            page.changes.append(try statement.deviceChange())
            last = statement.integer(5)
        }
        return page
    }

    // MARK: Private

    private func requests() throws(StoreFailure) -> [PendingRequest] {
        var requests: [PendingRequest] = []
        var reader = RequestReader()
        let statement = try prepared(.requests)
        while try statement.step() { requests.append(try reader.request(statement, from: 0)) }
        return requests
    }

    private func tasks() throws(StoreFailure) -> [TaskFacts] {
        var tasks: [TaskFacts] = []
        try rows(.tasks) { row throws(StoreFailure) in tasks.append(try row.taskFacts()) }
        return tasks
    }

    private func apps() throws(StoreFailure) -> [AppFacts] {
        var apps: [AppFacts] = []
        try rows(.apps) { row throws(StoreFailure) in apps.append(try row.json(0, AppFacts.self)) }
        return apps
    }

    private func runner() throws(StoreFailure) -> RunnerFacts {
        var runner = RunnerFacts()
        try rows(.runner) { row throws(StoreFailure) in runner = try row.json(0, RunnerFacts.self) }
        return runner
    }

    private func rows(
        _ query: Query, _ body: (SQLiteStatement) throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        let statement = try prepared(query)
        while try statement.step() { try body(statement) }
    }

    private func runs(_ query: Query, bind: (SQLiteStatement) -> Void) throws(StoreFailure) -> [RunRecord] {
        var runs: [RunRecord] = []
        var reader = RunReader()
        let statement = try prepared(query)
        bind(statement)
        while try statement.step() { runs.append(try reader.run(statement)) }
        return runs
    }
}
