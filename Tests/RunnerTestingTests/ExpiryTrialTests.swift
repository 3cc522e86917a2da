import HandlerFixtures
import RunnerTesting
import Testing

@Suite("A trial of the explorer")
struct ExpiryTrialTests {
    @Test(
        "is read as it was written",
        arguments: ["0:never", "3:before:17", "18446744073709551615:during:0", "0:after:1500"])
    func roundTrip(_ text: String) throws {
        #expect(try #require(ExpiryTrial(text)).description == text)
    }

    @Test("is nothing else", arguments: ["", "0", "0:", "x:never", "0:before", "0:before:x", "0:never:1", "-1:never"])
    func refused(_ text: String) {
        #expect(ExpiryTrial(text) == nil)
    }
}

extension TestKitTests {
    @Suite("A trial that is seen again")
    struct ReproductionTests {
        /// What two threads or an actor race for is found by trying, so its trial may pass.
        private static let certain = ExpiryExplorerTests.fixtures.filter { fixture in
            !fixture.name.contains("raced") && !fixture.name.contains("actor that awaits")
        }

        @Test("finds the same", arguments: certain)
        func again(_ fixture: HandlerFixture) async throws {
            let explorer = try ExpiryExplorerTests.explorer()
            let setUp = HandlerFixture.setUp(fixture.broken)
            let report = try await explorer.explore(HandlerFixture.identifier, setUp: setUp)
            let finding = try #require(report.findings.first { $0.kind == fixture.kind })
            let again = try await explorer.explore(HandlerFixture.identifier, only: finding.trial, setUp: setUp)
            #expect(again.findings.contains { $0.kind == fixture.kind }, "\(again)")
            #expect(again.trials <= 2)
        }
    }
}
