import HandlerFixtures
import Plugins
import RunnerTesting
import Testing

extension TestKitTests {
    @Suite("The expiry explorer")
    struct ExpiryExplorerTests {
        static func explorer() throws -> ExpiryExplorer {
            ExpiryExplorer(manifest: try VirtualSchedulerTests.manifest())
        }

        @Test("a seeded bug is found", arguments: HandlerFixture.all)
        func finds(_ fixture: HandlerFixture) async throws {
            let report = try await Self.explorer().explore(
                HandlerFixture.identifier, setUp: HandlerFixture.setUp(fixture.broken))

            #expect(report.findings.contains { $0.kind == fixture.kind }, "\(report)")
        }

        @Test("its repaired twin breaks no rule", arguments: HandlerFixture.all)
        func passes(_ fixture: HandlerFixture) async throws {
            let report = try await Self.explorer().explore(
                HandlerFixture.identifier, setUp: HandlerFixture.setUp(fixture.repaired))

            #expect(report.findings.isEmpty, "\(report)")
            #expect(report.moments > 4)
        }
    }
}
