import Scheduling
import Testing

@Suite("The report of a handler that was expired")
struct ExpiryReportTests {
    @Test("the command that shows a trial again has the trial in its place, whatever else is in it")
    func command() throws {
        let identifier = try TaskIdentifier("com.example.TRIAL")
        let trial = try ExpiryTrial("0:before:3")
        let report = ExpiryReport(
            identifier, reproduction: "runnerctl torture com.example.TRIAL --socket /tmp/TRIAL --only TRIAL")
        #expect(
            report.command(for: trial)
                == "runnerctl torture com.example.TRIAL --socket /tmp/TRIAL --only 0:before:3")
        #expect(ExpiryReport(identifier, reproduction: "by hand").command(for: trial) == "by hand")
    }
}
