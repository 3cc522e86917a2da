import Foundation
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

        private static let isWatched = ProcessInfo.processInfo.environment["RUNNER_SANITIZER"] == "thread"

        /// The thread sanitizer looks at the kit's threads, which are the same for all: every third is enough for it.
        static let fixtures = HandlerFixture.all.enumerated().filter { !isWatched || $0.offset % 3 == 1 }.map(\.element)

        /// One of them is a data race, which the thread sanitizer would report as ours.
        static let broken = fixtures.filter { !isWatched || !$0.name.contains("raced") }

        @Test("a seeded bug is found", arguments: broken)
        func finds(_ fixture: HandlerFixture) async throws {
            let report = try await Self.explorer().explore(
                HandlerFixture.identifier, setUp: HandlerFixture.setUp(fixture.broken))

            #expect(report.findings.contains { $0.kind == fixture.kind }, "\(report)")
        }

        @Test("its repaired twin breaks no rule", arguments: fixtures)
        func passes(_ fixture: HandlerFixture) async throws {
            var explorer = try Self.explorer()
            // Beside all other tests a thread may get no processor for long; two of these wait in vain, a few times.
            explorer.patience = .seconds(3)
            let report = try await explorer.explore(
                HandlerFixture.identifier, setUp: HandlerFixture.setUp(fixture.repaired))

            #expect(report.findings.isEmpty, "\(report)")
            #expect(report.moments > 4)
        }
    }
}
