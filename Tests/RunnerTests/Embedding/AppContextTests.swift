import Platform
import Plugins
import Scheduling
import Storage
import TestSupport
import Testing

@testable import Runner

@Suite("What a plugin knows and does of its app in a program", .timeLimit(.minutes(1)))
struct AppContextTests {
    private struct Mail: TaskPlugin {
        var launching: @Sendable (AppContext) async throws -> Void = { _ in }

        func register(in registry: TaskRegistry) throws {
            try registry.register(EmbeddedFixture.refresh) { (_: TaskContext) in }
            try registry.register("com.example.app.clean", kind: .processing) { (_: TaskContext) in }
        }

        func launched(_ app: AppContext) async throws { try await launching(app) }
    }

    private static let floor = WallTime(milliseconds: 4_000_000_000_000)

    @Test("it is told once that the runner has started, and submits, lists and cancels there")
    func requests() async throws {
        let fixture = try EmbeddedFixture()
        let (seen, cancelled, all, none) = (
            Occurrence<[TaskRequest]>(), Occurrence<[Bool]>(), Occurrence<Int>(), Occurrence<[TaskRequest]>()
        )
        let clean = TaskRequest(
            identifier: try TaskIdentifier("com.example.app.clean"), kind: .processing, floor: Self.floor,
            requiresExternalPower: true)
        let refresh = TaskRequest(
            identifier: EmbeddedFixture.refreshIdentifier, kind: .appRefresh, floor: Self.floor)
        try fixture.runner.register(
            Mail { app in
                #expect(app.identifier.text == EmbeddedFixture.app)
                #expect(app.recovered == nil)
                #expect(try await app.submit(clean).outcome == .submitted)
                #expect(try await app.submit(refresh, ifPending: .keep).outcome == .submitted)
                seen.happen(try await app.pendingRequests())
                cancelled.happen([
                    try await app.cancel(refresh.identifier), try await app.cancel(refresh.identifier),
                ])
                all.happen(try await app.cancelAll())
                none.happen(try await app.pendingRequests())
            })
        try await fixture.start()
        #expect(await Set(seen.value) == [clean, refresh])
        #expect(await cancelled.value == [true, false])
        #expect(await all.value == 1)
        #expect(await none.value.isEmpty)
        try await fixture.stop()
    }

    @Test("it registers a continued task on demand, as the runner does (B5)")
    func onDemand() async throws {
        let fixture = try EmbeddedFixture()
        let (ran, refused) = (Occurrence<AppIdentifier>(), Occurrence<Refusal>())
        let identifier = try TaskIdentifier("com.example.app.batch.seven")
        try fixture.runner.register(
            Mail { app in
                do throws(Refusal) {
                    try await app.registerContinued("com.example.other.batch") { _ in }
                } catch {
                    refused.happen(error)
                }
                try await app.registerContinued(identifier.text) { task in ran.happen(task.app.identifier) }
                try await app.submit(TaskRequest(identifier: identifier, kind: .continuedProcessing, title: "Seven"))
            })
        try await fixture.start()
        #expect(await refused.value.kind == .notPermitted)
        #expect(await ran.value.text == EmbeddedFixture.app)
        try await fixture.stop()
    }

    @Test("it is told why the app was recovered, and nothing after an ordinary end")
    func recovered() async throws {
        let folder = TemporaryFolder()
        #expect(try await cause(in: folder) == nil)
        #expect(try await cause(in: folder) == nil)
        let opened = try OpenedState(folder: folder.file("state"), now: WallTime(milliseconds: 1_900_000_000_000))
        var facts = try #require(opened.contents.apps.first)
        facts.lastLaunch?.osVersion = "debian 3"
        let changes = [StoreChange.putApp(facts)]
        let committed = Occurrence<Bool>()
        opened.store.commit(changes) { committed.happen((try? $0.get()) != nil) }
        #expect(await committed.value)
        opened.store.stop()
        opened.lock?.release()
        #expect(try await cause(in: folder) == .osUpgrade)
    }

    private func cause(in folder: TemporaryFolder) async throws -> RecoveryCause? {
        let fixture = try EmbeddedFixture(folder: folder)
        let seen = Occurrence<RecoveryCause?>()
        try fixture.runner.register(Mail { app in seen.happen(app.recovered) })
        try await fixture.start()
        let cause = await seen.value
        try await fixture.stop()
        return cause
    }
}
