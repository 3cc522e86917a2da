import Dispatch
import Platform
import Plugins
import Scheduling

/// What the scheduler wants done, and what is done when something happened.
extension VirtualScheduler {
    func handle(_ event: Event) -> [(CallIdentifier, Reply)] {
        let moment = moment
        let (replies, ended) = core.withLock { core in
            let before = core.endedOrder.count
            return (core.handle(event, at: moment), core.endedOrder.count > before)
        }
        if ended { runEnded() }
        return replies
    }

    func answer(_ replies: [(CallIdentifier, Reply)]) {
        for (call, reply) in replies {
            let answer = contents.withLock { $0.calls.removeValue(forKey: call) }
            answer?(reply)
        }
    }

    /// Does what is in the outbox, in order: one thread at a time.
    func perform() {
        while true {
            let effects: [Effect] = core.withLock { core in
                guard !core.isPerforming, !core.outbox.isEmpty else { return [] }
                core.isPerforming = true
                return exchange(&core.outbox, with: [])
            }
            guard !effects.isEmpty else { return }
            for effect in effects { perform(effect) }
            core.withLock { $0.isPerforming = false }
        }
    }

    private func perform(_ effect: Effect) {
        guard let runs = contents.withLock({ $0.runs }) else { return }
        switch effect {
        case .launch(let order):
            if !runs.launch(order) { feed(.startFailed(order.run, reason: "no handler is registered")) }
        case .expire(let run, let reason, let grace): runs.expire(run, reason: reason, grace: grace)
        case .terminate(let run):
            if runs.revoke(run) { feed(.startFailed(run, reason: "its queue was busy")) }
        case .persist, .reply, .startProcess, .endProcess, .publish, .drained: break
        }
    }

    func announce(_ context: AppContext, to plugin: some TaskPlugin) {
        Task(executorPreference: executor) {
            do {
                try await plugin.launched(context)
            } catch {
                context.log("The plugin could not do what it does after launching: \(error)", level: .error)
            }
        }
    }

    /// Something is ready while perhaps nobody drives.
    func look() {
        guard driving.withLock({ !exchange(&$0.isAwaited, with: true) }) else { return }
        driver.async { [weak self] in
            guard let self else { return }
            driving.withLock { $0.isAwaited = false }
            executor.settle()
        }
    }
}
