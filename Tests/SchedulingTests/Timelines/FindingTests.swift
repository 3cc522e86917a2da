import Scheduling
import Simulation
import Testing

/// What doctor says of handlers and their tasks (B40).
@Suite("Findings about handlers")
struct FindingTests {
    private let refresh = Fixture.task("refresh")
    private let export = Fixture.task("export")
    private let upload = Fixture.task("upload")

    private func plugin(
        modes: Set<BackgroundMode> = [.fetch, .processing], tasks: [TaskSettings] = [], hash: String = "1"
    ) -> AppDescription {
        var description = Fixture.plugin(["refresh", "export"], patterns: [], tasks: tasks, hash: hash)
        description.modes = modes
        return description
    }

    /// A process whose handlers have kinds.
    private func launched(_ description: AppDescription, _ handlers: [(TaskIdentifier, TaskKind?)]) -> Timeline {
        var timeline = Timeline.withProcess(description)
        timeline.connect()
        for (identifier, kind) in handlers { timeline.register(identifier.text, kind: kind) }
        timeline.send(.launchFinished(Fixture.app))
        return timeline
    }

    @Test("nothing is found where every handler is registered, in time, and has its next request")
    func findsNothing() {
        var timeline = launched(plugin(), [(refresh, .appRefresh), (export, .processing)])
        timeline.submit(refresh)
        timeline.submit(export, after: .hours(1), kind: .processing)
        timeline.enter(refresh)
        timeline.submit(refresh, after: .hours(1))
        _ = timeline.ask { .expirationSimulated(refresh, .budget, call: $0) }
        timeline.complete(refresh, returns: false)
        #expect(timeline.scheduler.findings(at: timeline.now) == [])
        timeline.stopIdleProcess()
        timeline.restart()
        #expect(timeline.scheduler.findings(at: timeline.now) == [])
    }

    // MARK: Registration

    @Test("a permitted identifier that the process did not register is found, also while the process is stopped")
    func findsUnregistered() throws {
        var timeline = launched(plugin(), [(refresh, .appRefresh)])
        let finding = try #require(timeline.finding("neverRegistered"))
        #expect(finding.app == Fixture.app && finding.identifier == export)
        timeline.stopIdleProcess()
        #expect(timeline.finding("neverRegistered") == finding)
    }

    @Test("a refused registration is found with the name that was probably meant, until a process registers rightly")
    func findsRefusedRegistrations() throws {
        var timeline = launched(plugin(), [(Fixture.task("refesh"), nil), (export, .processing)])
        let finding = try #require(timeline.finding("registrationRefused"))
        #expect(finding.severity == .error && finding.app == Fixture.app && finding.identifier == nil)
        #expect(finding.message.contains("\(Fixture.task("refesh")) is not permitted"))
        #expect(finding.fix.hasPrefix("Register \(refresh), or permit \(Fixture.task("refesh"))"))
        // It is known while the process is stopped and the runner was started again.
        timeline.stopIdleProcess()
        timeline.restart()
        #expect(timeline.finding("registrationRefused") == finding)
        timeline.submit(export, kind: .processing)
        timeline.launchProcess(["refresh", "export"])
        #expect(timeline.finding("registrationRefused") == nil)
    }

    @Test("a handler that comes after finishLaunching, and one of an embedding program, are found too")
    func findsOtherRefusals() {
        var timeline = launched(plugin(), [(refresh, .appRefresh)])
        timeline.register(export.text)
        #expect(timeline.finding("registrationRefused")?.message.contains("ended with finishLaunching") == true)
        var embedded = Timeline(handlers: [("refresh", nil), ("exprt", nil)])
        #expect(embedded.finding("registrationRefused")?.fix.hasPrefix("Register \(export), or permit") == true)
        embedded.send(.appLoaded(Fixture.embedded(hash: "2")))
        #expect(embedded.finding("registrationRefused") == nil)
    }

    @Test("a process that registers much that is refused is told of eight of them", arguments: [8, 9, 500])
    func boundsRefusedRegistrations(count: Int) {
        let names = (0..<count).map { (TaskIdentifier(checked: "com.example.other.\($0)"), TaskKind?.none) }
        let timeline = launched(plugin(), names)
        let found = timeline.scheduler.findings(at: timeline.now).filter { $0.name == "registrationRefused" }
        #expect(found.count == 8)
        let before = timeline.effects.count { if case .persist(.putApp) = $0 { true } else { false } }
        var later = timeline
        for name in names { later.register(name.0.text + ".x") }
        let after = later.effects.count { if case .persist(.putApp) = $0 { true } else { false } }
        #expect(before == after)
    }

    @Test("a request that is not permitted any more is found with the name that was probably meant")
    func guessesForStranded() {
        var timeline = launched(plugin(), [(refresh, nil), (export, nil)])
        timeline.submit(export, after: .hours(1))
        var renamed = Fixture.plugin(["refresh", "exports"], patterns: [], hash: "2")
        renamed.modes = [.fetch]
        timeline.reload([renamed])
        timeline.processGone()
        timeline.launchProcess(["refresh", "exports"])
        let fix = timeline.finding("stranded")?.fix
        #expect(fix?.contains("did you mean \(Fixture.task("exports"))?") == true, "\(fix ?? "nothing")")
    }

    // MARK: Modes

    @Test("a handler whose kind needs a mode that is not declared is found, with the mode")
    func findsMissingModes() throws {
        let timeline = launched(plugin(modes: [.fetch]), [(refresh, .appRefresh), (export, .processing)])
        let finding = try #require(timeline.finding("modeMismatch"))
        #expect(finding.app == Fixture.app && finding.identifier == export && finding.severity == .warning)
        #expect(finding.fix.contains("Add “processing” to UIBackgroundModes"))
    }

    @Test("a mode that no handler needs is found, unless a handler is missing or takes every kind")
    func findsSpareModes() throws {
        let timeline = launched(plugin(), [(refresh, .appRefresh), (export, .appRefresh)])
        let finding = try #require(timeline.finding("modeMismatch"))
        #expect(finding.identifier == nil && finding.message.contains("“processing”"))
        #expect(finding.fix.hasPrefix("Take it out of UIBackgroundModes"))
        #expect(launched(plugin(), [(refresh, .appRefresh)]).finding("modeMismatch") == nil)
        #expect(launched(plugin(), [(refresh, .appRefresh), (export, nil)]).finding("modeMismatch") == nil)
        #expect(launched(Fixture.plugin(), [(refresh, .appRefresh)]).finding("modeMismatch") == nil)
    }

    @Test("what the manifest itself shows of modes is left to its check")
    func leavesModesToTheManifest() {
        let tasks = [
            TaskSettings(identifier: refresh, kind: .appRefresh), TaskSettings(identifier: export, kind: .processing),
        ]
        let handlers: [(TaskIdentifier, TaskKind?)] = [(refresh, .appRefresh), (export, .processing)]
        #expect(launched(plugin(modes: [.fetch], tasks: tasks), handlers).finding("modeMismatch") == nil)
        #expect(launched(plugin(tasks: tasks), handlers).finding("modeMismatch") == nil)
    }

    // MARK: Runs

    @Test("a task whose last run left nothing pending is found with that run, and no more as one that waits")
    func findsRunsWithoutNext() throws {
        var timeline = launched(plugin(), [(refresh, nil), (export, nil)])
        #expect(timeline.finding("willNotRunAgain") == nil)
        timeline.submit(refresh)
        timeline.finish(refresh)
        let finding = try #require(timeline.finding("willNotRunAgain"))
        #expect(finding.identifier == refresh && finding.severity == .notice)
        #expect(finding.message == "Run 1 ended as succeeded and left nothing pending.")
        #expect(finding.fix.hasPrefix("Submit the next request first thing in the handler"))
        #expect(timeline.finding("nothingPending")?.identifier == export)
        timeline.submit(refresh, after: .hours(1))
        #expect(timeline.finding("willNotRunAgain") == nil)
    }

    @Test("several runs that left nothing pending are one finding, and cancelling or continued processing is none")
    func gathersRunsWithoutNext() throws {
        var timeline = Timeline(handlers: [("refresh", nil), ("export", nil), ("upload", nil)])
        timeline.register(Fixture.task("jobs.render").text, kind: .continuedProcessing)
        for task in [refresh, export] {
            timeline.submit(task)
            timeline.finish(task)
        }
        timeline.submit(upload, after: .hours(1))
        timeline.cancel(upload)
        timeline.submit(Fixture.task("jobs.render"), kind: .continuedProcessing, title: "Render")
        timeline.finish(Fixture.task("jobs.render"))
        let found = timeline.scheduler.findings(at: timeline.now).filter { $0.name == "willNotRunAgain" }
        #expect(found.count == 1)
        #expect(found.first?.identifier == nil)
        #expect(found.first?.message == "The last runs of 2 tasks left nothing pending: \(export), \(refresh).")
        #expect(timeline.finding("nothingPending")?.identifier == upload)
    }

    @Test("a handler that goes on after its grace period is found, until a run of it ends in time")
    func findsLateHandlers() throws {
        var timeline = Timeline()
        for run in 1...2 {
            timeline.submit(refresh)
            timeline.enter(refresh)
            timeline.wait(.seconds(36))
            #expect(timeline.lastRun(refresh)?.state == .expired)
            // Late, and the same run as before.
            _ = timeline.ask { .runCompleted(RunIdentifier(Int64(run)), .succeeded, message: nil, call: $0) }
            timeline.send(.handlerReturned(RunIdentifier(Int64(run))))
            let finding = try #require(timeline.finding("completesLate"))
            #expect(finding.identifier == refresh && finding.app == Fixture.app && finding.severity == .warning)
            #expect(
                finding.message
                    == (run == 1
                        ? "Run 1 went on after its grace period."
                        : "Run 2 went on after its grace period, as its last 2 runs did."))
            #expect(finding.fix.contains("runnerctl log --run \(run)"))
        }
        timeline.restart()
        #expect(timeline.finding("completesLate") != nil)
        timeline.submit(refresh)
        timeline.finish(refresh)
        #expect(timeline.finding("completesLate") == nil)
    }

    @Test("a handler without an expiration handler is found, and other files end it")
    func findsHandlersThatCannotEnd() {
        var timeline = launched(plugin(), [(refresh, nil)])
        timeline.submit(refresh)
        timeline.enter(refresh)
        _ = timeline.ask { .expirationSimulated(refresh, .budget, call: $0) }
        timeline.complete(refresh, .noExpirationHandler, returns: false)
        #expect(timeline.finding("completesLate")?.identifier == refresh)
        timeline.processGone()
        timeline.reload([plugin(hash: "2")])
        #expect(timeline.finding("completesLate") == nil)
    }

    @Test("of an app only so many late handlers are kept", arguments: [10, 11])
    func boundsLateHandlers(count: Int) {
        let names = (10..<10 + count).map { "jobs.n\($0)" }
        var policy = Policy.prompt
        policy.concurrency = 100
        var timeline = Timeline(policy: policy, handlers: names.map { ($0, nil) })
        for name in names {
            timeline.submit(Fixture.task(name))
            timeline.enter(Fixture.task(name))
        }
        timeline.wait(.seconds(36))
        let late = timeline.scheduler.findings(at: timeline.now).filter { $0.name == "completesLate" }
        #expect(late.count == 10)
        #expect(late.last?.identifier == Fixture.task("jobs.n\(9 + count)"))
    }

    // MARK: Many

    @Test("ten findings of one kind about one app are told, and the others are counted", arguments: [9, 10, 11, 5_000])
    func boundsFindings(count: Int) throws {
        let names = (0..<count).map { "t\($0 + 10_000)" }
        let timeline = launched(Fixture.plugin(names, patterns: []), [])
        let found = timeline.scheduler.findings(at: timeline.now)
        #expect(found.count == (count > 10 ? 11 : count))
        #expect(found.prefix(10).map(\.identifier) == names.prefix(10).map { Fixture.task($0) })
        guard count > 10 else { return }
        let rest = try #require(found.last)
        #expect(rest.name == "neverRegistered" && rest.app == Fixture.app && rest.identifier == nil)
        let verb = count == 11 ? "is" : "are"
        #expect(rest.message == "There \(verb) \(count - 10) more like these.")
        #expect(rest.fix == found[0].fix)
    }
}
