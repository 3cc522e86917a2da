import Scheduling
import Testing

@testable import Storage

@Suite("Every store")
struct StoreConformanceTests {
    @Test("begins empty", arguments: TestedStore.allCases)
    func beginsEmpty(kind: TestedStore) throws {
        try kind.use { store, _ in
            let contents = try store.load()
            #expect(contents == StoreContents())
            #expect(try store.history(HistoryQuery()) == HistoryPage(runs: []))
            #expect(try store.deviceChanges(limit: 10).isEmpty)
            #expect(try store.run(RunIdentifier(1)) == nil)
            #expect(store.report().recovered == nil)
        }
    }

    @Test("keeps every field of a request and of a run over a crash", arguments: TestedStore.allCases)
    func keepsEveryField(kind: TestedStore) throws {
        try kind.use { store, reopen in
            var unfinished = Sample.fullRun(5)
            unfinished.state = .expiring
            unfinished.exit = .code(-1)
            let requests = [Sample.fullRequest("a", submission: 8), Sample.request("b", submission: 9)]
            try store.commit(requests.map { .putRequest($0) } + [.putRun(Sample.fullRun(4)), .putRun(unfinished)])
            let reopened = try reopen()
            let contents = try reopened.load()
            #expect(contents.requests == requests)
            #expect(contents.unfinishedRuns == [unfinished])
            #expect(try reopened.run(RunIdentifier(4)) == Sample.fullRun(4))
            #expect(try reopened.history(HistoryQuery()).runs == [unfinished, Sample.fullRun(4)])
        }
    }

    @Test("keeps every kind, maker and strategy of a request", arguments: TestedStore.allCases)
    func keepsEveryTrait(kind: TestedStore) throws {
        try kind.use { store, reopen in
            var requests: [PendingRequest] = []
            for kind in TaskKind.allCases {
                for maker in [RequestMaker.caller, .recurrence, .retry] {
                    for strategy in [nil, SubmissionStrategy.fail, .queue] {
                        for needs in 0..<4 {
                            var request = Sample.request("t\(1_000 + requests.count)")
                            request.kind = kind
                            request.maker = maker
                            request.strategy = strategy
                            request.requiresNetworkConnectivity = needs & 1 != 0
                            request.requiresExternalPower = needs & 2 != 0
                            requests.append(request)
                        }
                    }
                }
            }
            try store.commit(requests.map { .putRequest($0) })
            #expect(try reopen().load().requests == requests)
        }
    }

    @Test("keeps every state of a run, and gives the unfinished ones back", arguments: TestedStore.allCases)
    func keepsEveryState(kind: TestedStore) throws {
        try kind.use { store, reopen in
            let runs = RunState.allCases.enumerated().map { Sample.run(Int64($0.offset + 1), "task", $0.element) }
            try store.commit(runs.map { .putRun($0) })
            let reopened = try reopen()
            #expect(try reopened.load().unfinishedRuns == runs.filter { !$0.state.isEnded })
            #expect(try reopened.history(HistoryQuery()).runs == runs.reversed())
        }
    }

    @Test("replaces the request of an identifier, and removes it", arguments: TestedStore.allCases)
    func replacesAndRemoves(kind: TestedStore) throws {
        try kind.use { store, reopen in
            try store.commit([.putRequest(Sample.request("a", submission: 1))])
            try store.commit([.putRequest(Sample.fullRequest("a", submission: 2))])
            #expect(try store.load().requests == [Sample.fullRequest("a", submission: 2)])
            try store.commit([.removeRequest(Sample.identifier("a")), .removeRequest(Sample.identifier("never"))])
            #expect(try store.load().requests.isEmpty)
            #expect(try reopen().load().requests.isEmpty)
        }
    }

    @Test("replaces a run", arguments: TestedStore.allCases)
    func replacesRuns(kind: TestedStore) throws {
        try kind.use { store, _ in
            try store.commit([.putRun(Sample.run(1, "full"))])
            var ended = Sample.fullRun(1)
            try store.commit([.putRun(ended)])
            #expect(try store.load().unfinishedRuns.isEmpty)
            #expect(try store.run(RunIdentifier(1)) == ended)
            ended.waits = []
            ended.diagnostics = []
            ended.process = nil
            ended.progress = nil
            ended.exit = nil
            ended.message = nil
            try store.commit([.putRun(ended)])
            #expect(try store.run(RunIdentifier(1)) == ended)
        }
    }

    @Test("makes the changes of a transaction in their order", arguments: TestedStore.allCases)
    func keepsTheOrderOfChanges(kind: TestedStore) throws {
        try kind.use { store, _ in
            try store.commit([
                .putRequest(Sample.request("a", submission: 1)), .removeRequest(Sample.identifier("a")),
                .putRequest(Sample.request("a", submission: 2)), .putRequest(Sample.request("b", submission: 3)),
                .removeRequest(Sample.identifier("b")),
            ])
            #expect(try store.load().requests == [Sample.request("a", submission: 2)])
        }
    }

    @Test("keeps the facts of tasks, apps and the runner", arguments: TestedStore.allCases)
    func keepsFacts(kind: TestedStore) throws {
        try kind.use { store, reopen in
            var task = TaskFacts(identifier: Sample.identifier("a"))
            task.lastScheduledStart = noon
            task.retries = 2
            task.refusedRearms = 3
            task.strandedSince = WallTime(milliseconds: 4)
            var app = AppFacts(app: Sample.app)
            app.pausedAt = noon
            app.quarantineReason = "it said “no”"
            app.quarantinedHash = "0123456789abcdef"
            app.usedMilliseconds = 77
            app.misbehaviours = [noon]
            app.lastLaunch = LaunchFacts(
                bootIdentifier: Sample.boot, osVersion: "12", runnerVersion: "1.0", bundleHash: "abc")
            var runner = RunnerFacts()
            runner.nextRun = 12
            runner.stoppedCleanly = false
            runner.overrides = [
                ConditionOverride(
                    condition: .thermal, value: .thermal(.serious), since: noon, until: BootTime(milliseconds: 3),
                    bootIdentifier: Sample.boot)
            ]
            runner.leftovers = [Leftover(Sample.run(4, "left"))]
            let gone = TaskFacts(identifier: Sample.identifier("gone"))
            try store.commit([.putTask(TaskFacts(identifier: Sample.identifier("a"))), .putTask(gone)])
            try store.commit([.putTask(task), .putApp(app), .putRunner(runner), .removeTask(gone.identifier)])
            let contents = try reopen().load()
            #expect(contents.tasks == [task])
            #expect(contents.apps == [app])
            #expect(contents.runner == runner)
        }
    }

    @Test("knows the highest numbers, also those that only ended runs hold", arguments: TestedStore.allCases)
    func knowsTheHighestNumbers(kind: TestedStore) throws {
        try kind.use { store, reopen in
            var run = Sample.run(41, "task", .succeeded)
            run.request.submission = 90
            try store.commit([.putRun(run), .putRequest(Sample.request("a", submission: 30))])
            #expect(try store.load().highestRun == 41)
            #expect(try store.load().highestSubmission == 90)
            try store.commit([.putRequest(Sample.request("a", submission: 91))])
            #expect(try store.load().highestSubmission == 91)
            #expect(try reopen().load().highestSubmission == 91)
        }
    }

    @Test("does not forget the highest numbers when retention drops their runs", arguments: TestedStore.allCases)
    func remembersDroppedNumbers(kind: TestedStore) throws {
        try kind.use { store, reopen in
            try store.commit([.putRun(Sample.run(41, "task", .failed))])
            #expect(try store.applyRetention(Retention(runs: 0), now: noon) == [RunIdentifier(41)])
            let contents = try reopen().load()
            #expect(contents.highestRun == 41)
            #expect(contents.highestSubmission == 41)
        }
    }

    // MARK: History

    @Test("filters history by identifier, origin and state", arguments: TestedStore.allCases)
    func filtersHistory(kind: TestedStore) throws {
        try kind.use { store, _ in
            var simulated = Sample.run(3, "a", .failed)
            simulated.origin = .simulated
            let runs = [
                Sample.run(1, "a", .succeeded), Sample.run(2, "b", .failed), simulated, Sample.run(4, "a", .failed),
            ]
            try store.commit(runs.map { .putRun($0) })
            func numbers(_ query: HistoryQuery) throws -> [Int64] { try store.history(query).runs.map(\.run.number) }
            #expect(try numbers(HistoryQuery()) == [4, 3, 2, 1])
            #expect(try numbers(HistoryQuery(identifier: Sample.identifier("a"))) == [4, 3, 1])
            #expect(try numbers(HistoryQuery(identifier: Sample.identifier("c"))) == [])
            #expect(try numbers(HistoryQuery(origin: .simulated)) == [3])
            #expect(try numbers(HistoryQuery(state: .failed)) == [4, 3, 2])
            #expect(try numbers(HistoryQuery(identifier: Sample.identifier("a"), state: .failed)) == [4, 3])
            let narrow = HistoryQuery(identifier: Sample.identifier("a"), origin: .scheduled, state: .failed)
            #expect(try numbers(narrow) == [4])
            #expect(try numbers(HistoryQuery(before: RunIdentifier(3))) == [2, 1])
        }
    }

    @Test(
        "gives every run once, page by page",
        arguments: TestedStore.allCases, [1, 2, 3, 7, 9, 10, 11, Int.max])
    func pagesHistory(kind: TestedStore, limit: Int) throws {
        try kind.use { store, _ in
            for number in Int64(1)...10 {
                try store.commit([.putRun(Sample.run(number, number.isMultiple(of: 2) ? "even" : "odd", .succeeded))])
            }
            for identifier in [nil, Sample.identifier("even")] {
                var query = HistoryQuery(identifier: identifier, limit: limit)
                var seen: [Int64] = []
                var pages = 0
                repeat {
                    let page = try store.history(query)
                    seen += page.runs.map(\.run.number)
                    query.before = page.next
                    pages += 1
                } while query.before != nil
                let expected = (Int64(1)...10).reversed().filter { identifier == nil || $0.isMultiple(of: 2) }
                #expect(seen == expected)
                #expect(pages == (expected.count - 1) / limit + 1)
            }
        }
    }

    @Test("gives nothing for a limit of nothing", arguments: TestedStore.allCases, [0, -1])
    func emptyLimit(kind: TestedStore, limit: Int) throws {
        try kind.use { store, _ in
            try store.commit([.putRun(Sample.run(1)), .appendDeviceChange(Sample.deviceChange(1))])
            #expect(try store.history(HistoryQuery(limit: limit)) == HistoryPage(runs: []))
            #expect(try store.deviceChanges(limit: limit).isEmpty)
        }
    }

    @Test("gives device changes newest first, with every kind of value", arguments: TestedStore.allCases)
    func keepsDeviceChanges(kind: TestedStore) throws {
        try kind.use { store, reopen in
            let values: [ConditionValue?] = [.flag(false), .level(0.5), .network(.metered), .thermal(.critical), nil]
            var changes = values.enumerated().map { Sample.deviceChange(Int64($0.offset), $0.element) }
            changes[2].overridden = true
            changes[3].condition = .thermal
            try store.commit(changes.map { .appendDeviceChange($0) })
            #expect(try store.deviceChanges(limit: 100) == changes.reversed())
            #expect(try reopen().deviceChanges(limit: 2) == Array(changes.reversed().prefix(2)))
        }
    }

    @Test("gives device changes page by page, of all conditions or of one", arguments: TestedStore.allCases)
    func pagesDeviceChanges(kind: TestedStore) throws {
        try kind.use { store, reopen in
            var changes = (1...7).map { Sample.deviceChange(noon.milliseconds + $0) }
            for index in [0, 2, 5] { changes[index].condition = .idle }
            try store.commit(changes.map { .appendDeviceChange($0) })
            for condition in [nil, DeviceCondition.idle] {
                let expected = changes.reversed().filter { condition ?? $0.condition == $0.condition }
                for limit in [1, 2, expected.count - 1, expected.count, 100] {
                    var query = DeviceChangeQuery(condition: condition, limit: limit)
                    var seen: [DeviceChange] = []
                    var pages = 0
                    repeat {
                        let page = try store.deviceChanges(query)
                        seen += page.changes
                        query.before = page.next
                        pages += 1
                    } while query.before != nil
                    #expect(seen == Array(expected))
                    #expect(pages == (expected.count - 1) / limit + 1)
                }
            }
            // A page goes on where it was, whatever came or went since.
            let first = try store.deviceChanges(DeviceChangeQuery(limit: 2))
            try store.commit([.appendDeviceChange(Sample.deviceChange(noon.milliseconds + 8))])
            _ = try store.applyRetention(Retention(runs: 5), now: noon)
            let second = try reopen().deviceChanges(DeviceChangeQuery(before: first.next))
            #expect(second.changes.map { $0.at.milliseconds - noon.milliseconds } == [5, 4])
            #expect(second.next == nil)
        }
    }

    // MARK: Retention

    @Test("drops nothing that is within the retention", arguments: TestedStore.allCases)
    func keepsWhatIsRecent(kind: TestedStore) throws {
        try kind.use { store, _ in
            try store.commit((1...5).map { .putRun(Sample.run($0, "a", .succeeded)) })
            try store.commit([.appendDeviceChange(Sample.deviceChange(noon.milliseconds))])
            #expect(try store.applyRetention(Retention(), now: noon).isEmpty)
            #expect(try store.history(HistoryQuery()).runs.count == 5)
            #expect(try store.deviceChanges(limit: 9).count == 1)
        }
    }

    @Test("drops the oldest ended runs beyond the number, never unfinished ones", arguments: TestedStore.allCases)
    func dropsSurplus(kind: TestedStore) throws {
        try kind.use { store, reopen in
            var changes: [StoreChange] = [.putRun(Sample.run(1, "a", .running))]
            changes += (2...6).map { .putRun(Sample.run($0, "a", .succeeded)) }
            changes += (1...6).map { .appendDeviceChange(Sample.deviceChange(noon.milliseconds + $0)) }
            try store.commit(changes)
            let dropped = try store.applyRetention(Retention(runs: 2), now: noon)
            #expect(dropped.map(\.number) == [2, 3, 4])
            let reopened = try reopen()
            #expect(try reopened.history(HistoryQuery()).runs.map(\.run.number) == [6, 5, 1])
            let left = try reopened.deviceChanges(limit: 9).map { $0.at.milliseconds - noon.milliseconds }
            #expect(left == [6, 5])
            #expect(try reopened.applyRetention(Retention(runs: 2), now: noon).isEmpty)
        }
    }

    @Test("drops ended runs and device changes that are older than the age", arguments: TestedStore.allCases)
    func dropsWhatIsOld(kind: TestedStore) throws {
        try kind.use { store, _ in
            let edge = noon.advanced(by: .zero - .days(90))
            var old = Sample.run(5, "a", .failed)
            old.endedAt = WallTime(milliseconds: edge.milliseconds - 1)
            var young = Sample.run(2, "a", .failed)
            young.endedAt = edge
            var unfinished = Sample.run(1, "a", .running)
            unfinished.startedAt = WallTime(milliseconds: 0)
            try store.commit([.putRun(old), .putRun(young), .putRun(unfinished)])
            try store.commit([
                .appendDeviceChange(Sample.deviceChange(edge.milliseconds - 1)),
                .appendDeviceChange(Sample.deviceChange(edge.milliseconds)),
            ])
            #expect(try store.applyRetention(Retention(), now: noon) == [RunIdentifier(5)])
            #expect(try store.history(HistoryQuery()).runs.map(\.run.number) == [2, 1])
            #expect(try store.deviceChanges(limit: 9).map(\.at) == [edge])
        }
    }

    @Test("counts only what age left when it drops the surplus", arguments: TestedStore.allCases)
    func dropsByAgeFirst(kind: TestedStore) throws {
        try kind.use { store, _ in
            var old = Sample.run(9, "a", .failed)
            old.endedAt = WallTime(milliseconds: 0)
            try store.commit([.putRun(old)] + (1...3).map { .putRun(Sample.run($0, "a", .failed)) })
            #expect(try store.applyRetention(Retention(runs: 3), now: noon).map(\.number) == [9])
        }
    }

    // MARK: Ending

    @Test("fails every call after it was closed", arguments: TestedStore.allCases)
    func failsAfterClose(kind: TestedStore) throws {
        try kind.use { store, reopen in
            try store.commit([.putRequest(Sample.request("a"))])
            store.close()
            store.close()
            #expect(failure { _ = try store.load() }?.kind == .closed)
            #expect(failure { try store.commit([.removeRequest(Sample.identifier("a"))]) }?.kind == .closed)
            #expect(failure { _ = try store.run(RunIdentifier(1)) }?.kind == .closed)
            #expect(failure { _ = try store.history(HistoryQuery()) }?.kind == .closed)
            #expect(failure { _ = try store.deviceChanges(limit: 1) }?.kind == .closed)
            #expect(failure { _ = try store.applyRetention(Retention(), now: noon) }?.kind == .closed)
            #expect(failure { try store.acknowledgeRecovery() }?.kind == .closed)
            #expect(try reopen().load().requests == [Sample.request("a")])
        }
    }
}
