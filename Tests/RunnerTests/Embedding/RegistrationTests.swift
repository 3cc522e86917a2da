import Plugins
import Scheduling
import TestSupport
import Testing

@testable import Runner

@Suite("Registering handlers in a program", .timeLimit(.minutes(1)))
struct RegistrationTests {
    private struct Mail: TaskPlugin {
        var done: @Sendable (String) -> Void = { _ in }

        func register(in registry: TaskRegistry) throws {
            try registry.register(EmbeddedFixture.refresh) { (context: TaskContext) in done(context.identifier.text) }
            try registry.register("com.example.app.batch.one") { (task: LaunchedTask) in
                done(task.identifier.text)
                task.setTaskCompleted(success: true)
            }
        }
    }

    private func refusal(_ body: () throws -> Void) throws -> Refusal {
        try #require(throws: Refusal.self) { try body() }
    }

    @Test("an identifier that is not permitted is refused with the nearest that is (B7)")
    func notPermitted() throws {
        let fixture = try EmbeddedFixture()
        let refusal = try refusal {
            try fixture.runner.register("com.example.app.refrehs") { (_: TaskContext) in }
        }
        #expect(refusal.kind == .notPermitted)
        #expect(refusal.nearest == EmbeddedFixture.refresh)
    }

    @Test("an identifier that is registered already is refused, and both places are known (B6)")
    func twice() throws {
        let fixture = try EmbeddedFixture()
        try fixture.runner.register(EmbeddedFixture.refresh, fileID: "App/First.swift", line: 12) { (_: TaskContext) in
        }
        let refusal = try refusal {
            try fixture.runner.register(EmbeddedFixture.refresh, fileID: "App/Second.swift", line: 7) {
                (_: LaunchedTask) in
            }
        }
        #expect(refusal.kind == .alreadyRegistered)
        #expect(refusal.related == ["App/First.swift:12"])
        #expect(refusal.message.contains("App/First.swift:12"))
    }

    @Test("a pattern cannot have a handler (B4)")
    func wildcards() throws {
        let fixture = try EmbeddedFixture()
        let refusal = try refusal {
            try fixture.runner.register("com.example.app.batch.*") { (_: TaskContext) in }
        }
        #expect(refusal.kind == .wildcardRegistration)
    }

    @Test("an ill-formed identifier is refused (B1)", arguments: ["", "a..b", "com.example app"])
    func illFormed(identifier: String) throws {
        let fixture = try EmbeddedFixture()
        let refusal = try refusal { try fixture.runner.register(identifier) { (_: TaskContext) in } }
        #expect(refusal.kind == .invalidIdentifier)
    }

    @Test("registration is closed from the start on (B5)")
    func afterTheStart() async throws {
        let fixture = try EmbeddedFixture()
        try await fixture.start()
        let refusal = try refusal {
            try fixture.runner.register(EmbeddedFixture.refresh) { (_: TaskContext) in }
        }
        #expect(refusal.kind == .registrationClosed)
        try await fixture.stop()
        let late = try self.refusal {
            try fixture.runner.register(EmbeddedFixture.refresh) { (_: TaskContext) in }
        }
        #expect(late.kind == .registrationClosed)
    }

    @Test("a plugin registers several handlers, in both forms")
    func plugins() async throws {
        let fixture = try EmbeddedFixture()
        let (refreshed, batched) = (Occurrence<Void>(), Occurrence<Void>())
        try fixture.runner.register(
            Mail { $0 == EmbeddedFixture.refresh ? refreshed.happen() : batched.happen() })
        try await fixture.start()
        try await fixture.submit()
        try await fixture.submit("com.example.app.batch.one")
        await refreshed.value
        await batched.value
        #expect(await fixture.notices.ended(2).state == .succeeded)
        try await fixture.stop()
    }

    @Test("what a plugin's registration refuses is thrown to the program")
    func pluginErrors() throws {
        let fixture = try EmbeddedFixture()
        try fixture.runner.register(Mail { _ in })
        let refusal = try refusal { try fixture.runner.register(Mail { _ in }) }
        #expect(refusal.kind == .alreadyRegistered)
        #expect(refusal.related.first?.contains("RegistrationTests.swift") == true)
    }

    @Test("a submission without a handler is refused before anything is stored (B9)")
    func notRegistered() async throws {
        let fixture = try EmbeddedFixture()
        try await fixture.start()
        let refusal = await #expect(throws: Refusal.self) { try await fixture.submit() }
        #expect(refusal?.kind == .notRegistered)
        try await fixture.stop()
    }
}
