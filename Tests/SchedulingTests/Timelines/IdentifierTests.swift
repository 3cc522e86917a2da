import Scheduling
import Testing

/// B1, B2 and B4: what identifiers and permitted entries look like.
struct IdentifierTests {
    @Test(
        "an identifier of letters, digits, dots, hyphens and underscores is legal (B1)",
        arguments: ["a", "com.example.refresh", "A-1_b.c", String(repeating: "a", count: 128)])
    func legalIdentifiers(text: String) throws {
        #expect(try TaskIdentifier(text).text == text)
    }

    @Test(
        "an identifier that breaks B1 is invalidIdentifier",
        arguments: [
            "", ".", "a.", ".a", "a..b", "a b", "ä", "a/b", "a\u{0}b", String(repeating: "a", count: 129),
        ])
    func illegalIdentifiers(text: String) {
        let refusal = #expect(throws: Refusal.self) { try TaskIdentifier(text) }
        #expect(refusal?.kind == .invalidIdentifier)
    }

    @Test("a pattern admits what extends it, and nothing else (B2)")
    func patternsAdmitExtensions() throws {
        let pattern = try PermittedIdentifier("com.example.app.export.*", app: Fixture.app)
        #expect(pattern.text == "com.example.app.export.*")
        #expect(pattern.admits(Fixture.task("export.a")))
        #expect(pattern.admits(Fixture.task("export.a.b")))
        #expect(!pattern.admits(Fixture.task("export")))
        #expect(!pattern.admits(Fixture.task("exporter.a")))
    }

    @Test(
        "a wildcard is legal only once, as the last component, below the app's identifier (B2)",
        arguments: [
            "*", "com.*", "com.example.*", "com.example.app.*.x", "com.example.app.x*", "com.example.app.*.*",
            "com.example.apple.*",
        ])
    func illegalPatterns(text: String) {
        let refusal = #expect(throws: Refusal.self) { try PermittedIdentifier(text, app: Fixture.app) }
        #expect(refusal?.kind == .invalidIdentifier)
    }

    @Test("a pattern is no identifier, and an example is given of what it permits (B1, B2)")
    func patternsAreNoIdentifiers() {
        let refusal = #expect(throws: Refusal.self) { try TaskIdentifier("com.example.app.export.*") }
        #expect(refusal?.kind == .invalidIdentifier)
        #expect(refusal?.message.hasSuffix("name one of them in full, such as com.example.app.export.one.") == true)
        let other = #expect(throws: Refusal.self) { try TaskIdentifier("com.example..*") }
        #expect(other?.message.contains("permits") == false)
    }

    @Test("the app's own identifier may be followed by a wildcard (B2)")
    func ownIdentifierTakesAWildcard() throws {
        let pattern = try PermittedIdentifier("com.example.app.*", app: Fixture.app)
        #expect(pattern.admits(Fixture.task("anything")))
    }

    @Test("a handler on a wildcard pattern is refused with an explanation (B4)")
    func wildcardHandlersAreRefused() {
        var timeline = Timeline(launched: false)
        timeline.send(.appLoaded(Fixture.embedded()))
        let reply = timeline.register("com.example.app.jobs.*")
        #expect(reply.refusal == .wildcardRegistration)
        #expect(reply.message?.contains("exactly") == true)
    }
}
