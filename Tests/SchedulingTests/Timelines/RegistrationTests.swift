import Scheduling
import Testing

/// B5 to B9: registering handlers, and what waits for the launch to finish.
struct RegistrationTests {
    private let refresh = Fixture.task("refresh")

    private func registering() -> Timeline {
        var timeline = Timeline(launched: false)
        timeline.send(.started(Fixture.startFacts()))
        timeline.send(.appLoaded(Fixture.embedded()))
        timeline.send(.loadingFinished)
        return timeline
    }

    @Test("finishLaunching closes registration (B5)")
    func registrationCloses() {
        var timeline = registering()
        #expect(timeline.register(refresh.text) == .done)
        timeline.send(.launchFinished(Fixture.app))
        #expect(timeline.register("com.example.app.export").refusal == .registrationClosed)
    }

    @Test("continued processing may be registered on demand, 64 at most (B5)")
    func onDemandRegistrationsAreLimited() {
        var timeline = Timeline()
        for number in 1...64 {
            #expect(timeline.register("com.example.app.jobs.\(number)", kind: .continuedProcessing) == .done)
        }
        #expect(timeline.register("com.example.app.jobs.65", kind: .continuedProcessing).refusal == .limitExceeded)
        #expect(timeline.register("com.example.app.jobs.66").refusal == .registrationClosed)
    }

    @Test("who cannot say a kind registers continued processing on demand where only a wildcard admits it (B5)")
    func kindsAreInferredFromWildcards() {
        var timeline = Timeline()
        let job = Fixture.task("jobs.one")
        #expect(timeline.register(job.text, infersKind: true) == .done)
        #expect(timeline.submit(job, kind: .continuedProcessing, title: "One").outcome == .submitted)
        #expect(timeline.submit(job, kind: .appRefresh).refusal == .kindMismatch)
        #expect(timeline.register(job.text, infersKind: true).refusal == .alreadyRegistered)
        var other = Timeline(handlers: [("refresh", nil)])
        #expect(other.register(Fixture.task("export").text, infersKind: true).refusal == .registrationClosed)
    }

    @Test("so does who declares no background mode, or gives the task that kind in the manifest (B5)")
    func kindsAreInferredFromTheManifest() {
        let export = Fixture.task("export")
        var modeless = Timeline(apps: [Fixture.embedded(modes: [])], handlers: [])
        #expect(modeless.register(export.text, infersKind: true) == .done)
        let settings = TaskSettings(identifier: export, kind: .continuedProcessing)
        var told = Timeline(apps: [Fixture.embedded(tasks: [settings])], handlers: [])
        #expect(told.register(export.text, infersKind: true) == .done)
        #expect(told.register(Fixture.task("upload").text, infersKind: true).refusal == .registrationClosed)
        let other = TaskSettings(identifier: Fixture.task("jobs.two"), kind: .processing)
        var otherwise = Timeline(apps: [Fixture.embedded(tasks: [other])], handlers: [])
        #expect(otherwise.register(other.identifier.text, infersKind: true).refusal == .registrationClosed)
    }

    @Test("while registration is open the kind stays open too (B5)")
    func kindsAreNotInferredEarly() {
        var timeline = registering()
        let job = Fixture.task("jobs.one")
        #expect(timeline.register(job.text, infersKind: true) == .done)
        timeline.send(.launchFinished(Fixture.app))
        #expect(timeline.submit(job, kind: .processing).outcome == .submitted)
    }

    @Test("a second registration names where the first came from (B6)")
    func doubleRegistrationNamesTheFirst() {
        var timeline = registering()
        timeline.register(refresh.text)
        let reply = timeline.register(refresh.text)
        #expect(reply.refusal == .alreadyRegistered)
        #expect(reply.message?.contains("Main.swift:1") == true)
    }

    @Test("an identifier that is not permitted is refused with the nearest one that is (B7)")
    func misspeltRegistrationsNameTheNearest() {
        var timeline = registering()
        let reply = timeline.register("com.example.app.refesh")
        #expect(reply.refusal == .notPermitted)
        #expect(reply.message?.contains(refresh.text) == true)
        #expect(timeline.diagnostics.contains { $0.name == .registrationRefused })
    }

    @Test("instead of a pattern, what it permits is proposed (B2, B7)")
    func patternsAreNoProposals() {
        var timeline = Timeline()
        let beginning = timeline.submit(Fixture.task("jobs"))
        #expect(beginning.refusal == .notPermitted)
        #expect(
            beginning.message?.contains("did you mean com.example.app.jobs.one, which com.example.app.jobs.* permits?")
                == true, "\(beginning.message ?? "")")
        let slip = timeline.submit(Fixture.task("josb.two"))
        #expect(
            slip.message?.contains("did you mean com.example.app.jobs.two, which com.example.app.jobs.* permits?")
                == true)
    }

    @Test("what only a pattern permits may be registered when it is needed, as is said (B5)")
    func lateRegistrationIsSaid() {
        var timeline = Timeline()
        let job = timeline.submit(Fixture.task("jobs.one"), kind: .continuedProcessing, title: "One")
        #expect(job.refusal == .notRegistered)
        #expect(
            job.message?.hasSuffix("before finishLaunching, or, for continued processing, while the app runs.") == true)
        let listed = Timeline(handlers: []).scheduler.explain(Fixture.task("export"), at: timeline.now).summary
        #expect(listed.hasSuffix("; register one before finishLaunching."), "\(listed)")
    }

    @Test("an app that is not loaded cannot register")
    func unknownAppsCannotRegister() {
        var timeline = registering()
        #expect(timeline.register("a.b", app: Fixture.tools).refusal == .noSuchApp)
    }

    @Test("what is due before finishLaunching waits at launching, and goes then (B8)")
    func dueRequestsWaitForTheLaunch() {
        var timeline = registering()
        timeline.register(refresh.text)
        #expect(timeline.submit(refresh).outcome == .submitted)
        timeline.wait(.minutes(5))
        #expect(timeline.closedGates(refresh) == [.launching])
        #expect(timeline.launches.isEmpty)
        timeline.send(.launchFinished(Fixture.app))
        #expect(timeline.launches.map(\.identifier) == [refresh])
    }

    @Test("nothing starts before loading is finished (B8)")
    func nothingStartsWhileLoading() {
        var timeline = Timeline(launched: false)
        timeline.send(.started(Fixture.startFacts()))
        timeline.send(.appLoaded(Fixture.embedded()))
        timeline.register(refresh.text)
        timeline.send(.launchFinished(Fixture.app))
        timeline.submit(refresh)
        #expect(timeline.launches.isEmpty)
        timeline.send(.loadingFinished)
        #expect(timeline.launches.map(\.identifier) == [refresh])
    }

    @Test("a permitted identifier without a handler is legal, reported, and refused at submission (B9)")
    func unregisteredIdentifiersAreReported() {
        var timeline = Timeline(handlers: [("refresh", nil)])
        #expect(timeline.submit(Fixture.task("export")).refusal == .notRegistered)
        let findings = timeline.scheduler.findings(at: timeline.now)
        #expect(findings.contains { $0.name == "neverRegistered" && $0.identifier == Fixture.task("export") })
    }

    @Test("tasks that have a handler and nothing pending are one finding that names them")
    func idleTasksAreOneFinding() {
        var timeline = Timeline(handlers: [("refresh", nil), ("export", nil)])
        var idle = timeline.scheduler.findings(at: timeline.now).filter { $0.name == "nothingPending" }
        #expect(idle.count == 1)
        #expect(idle.first?.identifier == nil)
        #expect(
            idle.first?.message
                == "2 tasks have a handler and nothing pending: \(Fixture.task("export")), \(Fixture.task("refresh")).")
        timeline.submit(Fixture.task("export"), after: .hours(1))
        idle = timeline.scheduler.findings(at: timeline.now).filter { $0.name == "nothingPending" }
        #expect(idle.map(\.identifier) == [Fixture.task("refresh")])
        timeline.submit(Fixture.task("refresh"), after: .hours(1))
        #expect(!timeline.scheduler.findings(at: timeline.now).contains { $0.name == "nothingPending" })
    }

    @Test("a finding about many idle tasks names the first ten and counts the others", arguments: [10, 11, 12])
    func manyIdleTasks(count: Int) throws {
        let names = (0..<count).map { "jobs.n\($0 + 10)" }
        let timeline = Timeline(handlers: names.map { ($0, nil) })
        let idle = try #require(timeline.scheduler.findings(at: timeline.now).first { $0.name == "nothingPending" })
        #expect(idle.message.contains("jobs.n19"))
        #expect(!idle.message.contains("jobs.n20"))
        #expect(idle.message.hasSuffix(count > 10 ? " and \(count - 10) more." : "jobs.n19."))
    }

    @Test("a stored request whose handler is not registered any more waits at handlerMissing")
    func missingHandlersHoldRequests() {
        var timeline = Timeline()
        timeline.submit(refresh, after: .seconds(10))
        timeline.restart(launched: false)
        timeline.send(.started(Fixture.startFacts()))
        timeline.send(.appLoaded(Fixture.embedded()))
        timeline.send(.loadingFinished)
        timeline.send(.launchFinished(Fixture.app))
        timeline.wait(.minutes(1))
        #expect(timeline.closedGates(refresh) == [.handlerMissing])
        #expect(timeline.launches.isEmpty)
    }

    @Test("a handler that is registered on demand lets its waiting request go")
    func lateHandlersTakeWaitingRequests() {
        let render = Fixture.task("jobs.render")
        var timeline = Timeline()
        timeline.register(render.text, kind: .continuedProcessing)
        timeline.send(.paused(app: nil, call: CallIdentifier(0)))
        timeline.submit(render, title: "Render")
        // The manifest changes: the handler goes, and its request waits for it.
        timeline.send(.appLoaded(Fixture.embedded(hash: "2")))
        timeline.send(.launchFinished(Fixture.app))
        timeline.send(.resumed(app: nil, call: CallIdentifier(0)))
        #expect(timeline.closedGates(render) == [.handlerMissing])
        timeline.register(render.text, kind: .continuedProcessing)
        #expect(timeline.launches.map(\.identifier) == [render])
    }
}
