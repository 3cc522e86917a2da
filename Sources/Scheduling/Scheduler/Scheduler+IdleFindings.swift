/// What `doctor` finds of tasks that have a handler and nothing that could run it.
///
/// One finding for all of them: that a task waits for a caller is common, and no fault.
extension Scheduler {
    func idleFindings(of slots: [Int32]) -> [Finding] {
        let idle = slots.filter(isIdle)
        return willNotRunAgain(idle.filter { lastRun(of: $0) != nil })
            + nothingPending(idle.filter { lastRun(of: $0) == nil })
    }

    // MARK: - Private

    /// Continued processing is submitted when a person begins something, so it never is.
    private func isIdle(_ slot: Int32) -> Bool {
        let entry = tasks[slot]
        guard entry.registeredKind != .continuedProcessing else { return false }
        let every = apps.settings(of: tasks.identifier(of: slot), in: entry.app)?.every
        return entry.isRegistered && !entry.hasRequest && entry.run < 0 && every == nil
    }

    /// The run that consumed the last request, as far as this runner has seen it.
    private func lastRun(of slot: Int32) -> (run: RunIdentifier, state: RunState)? {
        guard case .consumed(let run, let state) = tasks.outcomes[slot] else { return nil }
        return (run, state)
    }

    private func willNotRunAgain(_ slots: [Int32]) -> [Finding] {
        guard let first = slots.first, let last = lastRun(of: first) else { return [] }
        let fix = "Submit the next request first thing in the handler, or declare every in RunnerTasks."
        guard slots.count > 1 else {
            return [
                Finding(
                    .notice, "willNotRunAgain", app: apps[tasks[first].app].identifier,
                    identifier: tasks.identifier(of: first),
                    message: "Run \(last.run.number) ended as \(last.state.rawValue) and left nothing pending.",
                    fix: fix)
            ]
        }
        return [
            Finding(
                .notice, "willNotRunAgain",
                message: "The last runs of \(slots.count) tasks left nothing pending: \(names(slots)).", fix: fix)
        ]
    }

    private func nothingPending(_ slots: [Int32]) -> [Finding] {
        guard let first = slots.first else { return [] }
        let fix = "Submit a request, or declare every in RunnerTasks."
        guard slots.count > 1 else {
            return [
                Finding(
                    .notice, "nothingPending", app: apps[tasks[first].app].identifier,
                    identifier: tasks.identifier(of: first),
                    message: "A handler is registered, and nothing is pending.",
                    fix: fix)
            ]
        }
        return [
            Finding(
                .notice, "nothingPending",
                message: "\(slots.count) tasks have a handler and nothing pending: \(names(slots)).", fix: fix)
        ]
    }

    private func names(_ slots: [Int32]) -> String {
        let named = slots.prefix(Self.namedInFindings).map { tasks.identifier(of: $0).text }.joined(separator: ", ")
        return slots.count > Self.namedInFindings ? "\(named) and \(slots.count - Self.namedInFindings) more" : named
    }

    private static let namedInFindings = 10
}
