import Scheduling
import Testing

@testable import Plugins

@Suite("A manifest that a program makes")
struct ManifestTests {
    @Test("holds what it was given")
    func good() throws {
        let manifest = try Manifest(
            identifier: "com.example.mail", permittedIdentifiers: ["com.example.mail.refresh", "com.example.mail.x.*"],
            backgroundModes: ["processing", "fetch"])
        #expect(manifest.identifier == (try AppIdentifier("com.example.mail")))
        #expect(manifest.permittedIdentifiers == ["com.example.mail.refresh", "com.example.mail.x.*"])
        #expect(manifest.backgroundModes == ["fetch", "processing"])
        #expect(manifest.permits(try TaskIdentifier("com.example.mail.x.y")))
        let description = manifest.appDescription(host: .embedded)
        #expect(description.host == .embedded)
        #expect(description.modes == [.fetch, .processing])
        #expect(description.tasks == [])
    }

    @Test(
        "is refused by the rules of the file",
        arguments: [
            ("com..mail", ["com.example.mail.refresh"], ["fetch"], "CFBundleIdentifier"),
            ("com.example.mail", ["a b"], ["fetch"], "BGTaskSchedulerPermittedIdentifiers[0]"),
            ("com.example.mail", ["org.other.*"], ["fetch"], "BGTaskSchedulerPermittedIdentifiers[0]"),
            ("com.example.mail", ["com.example.mail.refresh"], ["audio"], "UIBackgroundModes"),
        ])
    func refused(identifier: String, permitted: [String], modes: [String], key: String) throws {
        let error = try #require(throws: ManifestError.self) {
            try Manifest(identifier: identifier, permittedIdentifiers: permitted, backgroundModes: modes)
        }
        #expect(error.problems.first?.key == key)
        #expect(error.problems.first?.severity == .error)
    }

    @Test("a manifest with 100,000 identifiers is read in a moment, not in one for each pair")
    func manyIdentifiers() throws {
        let identifiers = (0..<100_000).map { "com.example.many.t\($0)" }
        let clock = ContinuousClock()
        let began = clock.now
        let manifest = try Manifest(identifier: "com.example.many", permittedIdentifiers: identifiers)
        #expect(manifest.permittedIdentifiers.count == 100_000)
        // Comparing each with each would take minutes.
        #expect(began.duration(to: clock.now) < .seconds(20))
    }
}
