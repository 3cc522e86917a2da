import HandlerFixtures
import RunnerTesting
import Scheduling
import Testing

@Suite("A trial of the explorer")
struct ExpiryTrialTests {
    @Test(
        "is read as it was written",
        arguments: ["0:never", "3:before:17", "18446744073709551615:during:0", "0:after:1500"])
    func roundTrip(_ text: String) throws {
        #expect(try ExpiryTrial(text).description == text)
    }

    @Test(
        "is nothing else",
        arguments: [
            "", "0", "0:", "x:never", "0:before", "0:before:x", "0:never:1", "-1:never", "0:before:-1", "0:after:-5",
        ])
    func refused(_ text: String) {
        let refusal = #expect(throws: Refusal.self) { try ExpiryTrial(text) }
        #expect(refusal?.kind == .invalidParams)
    }
}

extension TestKitTests {
    @Suite("A trial that is seen again")
    struct ReproductionTests {
        /// What two threads or an actor race for, or what takes real time, is found by trying, so its trial may pass.
        private static func isRaced(_ fixture: HandlerFixture) -> Bool {
            ["raced", "actor that awaits", "dispatch queue", "operation", "blocks its thread"]
                .contains { fixture.name.contains($0) }
        }

        private static let certain = ExpiryExplorerTests.fixtures.filter { !isRaced($0) }
        private static let racing = ExpiryExplorerTests.broken.filter(isRaced)

        @Test("finds the same", arguments: certain)
        func again(_ fixture: HandlerFixture) async throws {
            let explorer = try ExpiryExplorerTests.explorer()
            let setUp = HandlerFixture.setUp(fixture.broken)
            let report = try await explorer.explore(HandlerFixture.identifier, setUp: setUp)
            let finding = try #require(report.findings.first { $0.kind == fixture.kind })
            // As the report prints it.
            let trial = try ExpiryTrial("\(finding.trial)")
            let again = try await explorer.explore(HandlerFixture.identifier, only: trial, setUp: setUp)
            #expect(again.findings.contains { $0.kind == fixture.kind }, "\(again)")
            #expect(again.trials <= 2)
        }

        @Test("finds a race, or what takes real time, again within a few tries", arguments: racing)
        func againByTrying(_ fixture: HandlerFixture) async throws {
            let explorer = try ExpiryExplorerTests.explorer()
            let setUp = HandlerFixture.setUp(fixture.broken)
            let report = try await explorer.explore(HandlerFixture.identifier, setUp: setUp)
            let finding = try #require(report.findings.first { $0.kind == fixture.kind })
            let trial = try ExpiryTrial("\(finding.trial)")
            for _ in 0..<200 {
                let again = try await explorer.explore(HandlerFixture.identifier, only: trial, setUp: setUp)
                if again.findings.contains(where: { $0.kind == fixture.kind }) { return }
            }
            Issue.record("\(trial) never showed it again")
        }
    }
}
