import Platform
package import Scheduling

/// Everything that an engine published, to look back at or to wait for.
package final class Notices: Sendable {
    private struct State {
        var all: [Notice] = []
        var waiting: [(matches: @Sendable ([Notice]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
        /// The test's time is over.
        var isGivenUp = false
    }

    private let state = Locked(State())

    package init() {}

    package var all: [Notice] { state.withLock { $0.all } }

    package var ended: [RunRecord] { all.compactMap { if case .ended(let run) = $0 { run } else { nil } } }
    package var diagnostics: [Diagnostic.Name] {
        all.compactMap { if case .diagnostic(let diagnostic) = $0 { diagnostic.name } else { nil } }
    }

    package func add(_ notice: Notice) {
        let due: [CheckedContinuation<Void, Never>] = state.withLock { state in
            state.all.append(notice)
            let all = state.all
            let due = state.waiting.filter { $0.matches(all) }.map(\.continuation)
            state.waiting.removeAll { $0.matches(all) }
            return due
        }
        for continuation in due { continuation.resume() }
    }

    /// Waits until what was published so far is enough, or the test's time is over.
    package func wait(until matches: @escaping @Sendable ([Notice]) -> Bool) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    if state.isGivenUp || matches(state.all) { return true }
                    state.waiting.append((matches, continuation))
                    return false
                }
                if isDue { continuation.resume() }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                state.isGivenUp = true
                defer { state.waiting = [] }
                return state.waiting.map(\.continuation)
            }
            for continuation in waiting { continuation.resume() }
        }
    }

    /// The record of the run that ended as the first, second, …
    package func ended(_ number: Int = 1) async -> RunRecord {
        await wait { $0.count { if case .ended = $0 { true } else { false } } >= number }
        precondition(ended.count >= number, "run \(number) has not ended in time: \(all)")
        return ended[number - 1]
    }

    package func diagnostic(_ name: Diagnostic.Name) async -> Diagnostic {
        let isIt: @Sendable (Notice) -> Diagnostic? = { notice in
            if case .diagnostic(let diagnostic) = notice, diagnostic.name == name { diagnostic } else { nil }
        }
        await wait { $0.contains { isIt($0) != nil } }
        guard let diagnostic = all.compactMap(isIt).first else { preconditionFailure("no \(name) in time: \(all)") }
        return diagnostic
    }
}
