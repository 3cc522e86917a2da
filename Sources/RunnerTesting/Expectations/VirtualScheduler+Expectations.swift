import Platform
import Plugins
public import Scheduling

extension VirtualScheduler {
    /// Expects that after its last run the task has a pending request again: that it re-armed itself.
    @discardableResult
    public func expectRearmed(
        _ identifier: String, fileID: String = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) -> Bool {
        let place = TestIssue.Place(fileID: fileID, filePath: filePath, line: line, column: column)
        guard let run = lastRun(of: identifier) else {
            TestIssue.record("\(identifier) has not run, so it cannot have re-armed itself.", at: place)
            return false
        }
        guard pendingRequest(identifier) != nil else {
            TestIssue.record(
                "\(identifier) did not re-arm itself: nothing is pending after \(run). Submit the next request as the "
                    + "first thing that the handler does.", at: place)
            return false
        }
        return true
    }

    /// Expects that a request is pending whose floor is so much later than now, give or take the tolerance.
    @discardableResult
    public func expectSubmitted(
        _ identifier: String, after floor: Duration, tolerance: Duration = .seconds(5), fileID: String = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> Bool {
        let place = TestIssue.Place(fileID: fileID, filePath: filePath, line: line, column: column)
        guard let found = self.floor(of: identifier) else {
            TestIssue.record("No request is pending for \(identifier).", at: place)
            return false
        }
        let difference = found - floor
        guard difference <= tolerance, difference >= .zero - tolerance else {
            TestIssue.record(
                "The request for \(identifier) may start in \(found), not in \(floor) (within \(tolerance)).", at: place
            )
            return false
        }
        return true
    }

    /// Expects that no submission moved the pending request of an identifier later (B12).
    ///
    /// Endless postponement is the classic way to never run.
    @discardableResult
    public func expectNeverPostponed(
        _ identifier: String, fileID: String = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) -> Bool {
        let place = TestIssue.Place(fileID: fileID, filePath: filePath, line: line, column: column)
        let postponed = core.withLock { core in
            core.submissions.filter { $0.request.identifier.text == identifier && $0.postponed != nil }
        }
        guard let first = postponed.first, let from = first.previous else { return true }
        let earlier = from.floor.map { beginning.wall.duration(to: $0) }.map { "\($0)" } ?? "at once"
        let later = first.request.floor.map { "\(beginning.wall.duration(to: $0))" } ?? "at once"
        let times = postponed.count == 1 ? "once" : "\(postponed.count) times, first"
        TestIssue.record(
            "The pending request for \(identifier) was moved later \(times) from \(earlier) to \(later) since the "
                + "beginning. Submit once after each run, or keep the earlier one.", at: place)
        return false
    }
}

extension ExpiryReport {
    /// Expects that the handler was expired and broke no rule, and tells how to see each broken one again.
    ///
    /// A handler that is over as soon as it was entered cannot be expired, which says nothing of it; where that is as it
    /// should be, pass true for `orOverAtOnce`.
    @discardableResult
    public func expectNoFindings(
        orOverAtOnce: Bool = false,
        fileID: String = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> Bool {
        guard !findings.isEmpty || (!provesSomething && !orOverAtOnce) else { return true }
        TestIssue.record(
            description, at: TestIssue.Place(fileID: fileID, filePath: filePath, line: line, column: column))
        return false
    }
}
