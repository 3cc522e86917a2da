import Scheduling

extension RunReport {
    /// Expects that the handler completed the run, and only once (B26).
    ///
    /// Called after everything that the handler started has ended, so that a second completion was seen.
    @discardableResult
    public func expectCompletedOnce(
        fileID: String = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> Bool {
        let place = TestIssue.Place(fileID: fileID, filePath: filePath, line: line, column: column)
        if let problem = completionProblem {
            TestIssue.record("\(identifier) was not completed exactly once: \(problem) (\(self))", at: place)
            return false
        }
        return true
    }

    /// Expects that the handler completed the run within a time, in virtual time.
    @discardableResult
    public func expectCompleted(
        within limit: Duration, fileID: String = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) -> Bool {
        let place = TestIssue.Place(fileID: fileID, filePath: filePath, line: line, column: column)
        guard outcome == .succeeded || outcome == .failed else {
            TestIssue.record("\(identifier) was not completed: \(self)", at: place)
            return false
        }
        guard duration <= limit else {
            TestIssue.record("\(identifier) took \(duration), more than \(limit): \(self)", at: place)
            return false
        }
        return true
    }

    private var completionProblem: String? {
        if diagnostics.contains(Diagnostic.Name.duplicateCompletion.rawValue) {
            return "setTaskCompleted was called again"
        }
        switch outcome {
        case .succeeded, .failed: return nil
        case .expired where diagnostics.contains(Diagnostic.Name.noExpirationHandler.rawValue):
            return "it was expired and had no expiration handler"
        case .expired: return "its grace period ended first"
        case .abandoned: return "its task object was dropped"
        case .crashed, .interrupted, .cancelled: return "it \(outcome.rawValue)"
        }
    }
}
