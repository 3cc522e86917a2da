import Platform
import Runner
package import Scheduling
package import SystemPlatform

/// Finds what commands left behind when the daemon died, and tells when it is gone (04, *Supervision*).
///
/// Nothing is ever signalled here: a stored number may be somebody else's by now.
/// Unchecked because it is used on the loop only.
package final class LeftoverWatch: @unchecked Sendable {
    private static let mostPasses = 8
    private let loop: EventLoop
    private let environment: CommandEnvironment
    private let boot: BootIdentifier
    private let report: (Event) -> Void
    private var watches: [RunIdentifier: [(watch: WatchToken, pidfd: OwnedDescriptor)]] = [:]
    /// Runs whose leftovers live but could not be watched, and when to look at them again.
    private var unwatched: [RunIdentifier: RunRecord] = [:]
    private var retry: LoopTimer?
    private static let retryMilliseconds: Int64 = 5_000

    package init(
        on loop: EventLoop, environment: CommandEnvironment, boot: BootIdentifier, report: @escaping (Event) -> Void
    ) {
        self.loop = loop
        self.environment = environment
        self.boot = boot
        self.report = report
    }

    /// Looks for processes of runs that had not ended; reports those tasks whose processes still live.
    package func look(for runs: [RunRecord]) {
        guard !runs.isEmpty else { return }
        let all = living()
        for run in runs {
            let found = processes(of: run, among: all)
            guard !found.isEmpty else { continue }
            report(.leftoverFound(run.identifier))
            follow(found, of: run)
        }
    }

    // MARK: - Private

    /// All processes, seen until a pass finds none that the passes before did not: one that was just being started, or
    /// was starting another while it was looked at, may be missed by a single pass.
    private func living() -> [ProcessTable.Process] {
        var seen: Set<ProcessTable.Process> = []
        for _ in 0..<Self.mostPasses {
            let pass = ProcessTable.all(withVariable: CommandEnvironment.launchVariable)
            let before = seen.count
            seen.formUnion(pass)
            if before > 0, seen.count == before { break }
        }
        return Array(seen)
    }

    private func processes(of run: RunRecord, among living: [ProcessTable.Process]) -> [ProcessIdentity] {
        let name = environment.launchName(run.run)
        var found = Set(living.filter { $0.value == name }.map(\.identity))
        if let mark = run.process, mark.bootIdentifier == boot {
            let members = living.filter { $0.group == mark.group }.map(\.identity)
            let leader = members.first { $0.pid == mark.group }
            // A leader that started at another time leads another group that has the number now.
            if leader == nil || leader?.startTime == mark.startTime { found.formUnion(members) }
        }
        return found.sorted { $0.pid < $1.pid }
    }

    private func follow(_ processes: [ProcessIdentity], of run: RunRecord) {
        var followed: [(watch: WatchToken, pidfd: OwnedDescriptor)] = []
        for process in processes {
            guard let pidfd = ProcessTable.openPidfd(process) else { continue }
            let watch = try? loop.watch(pidfd.raw, for: .read) { [weak self] _ in self?.lookAgain(run) }
            if let watch { followed.append((watch, pidfd)) }
        }
        guard followed.isEmpty else {
            watches[run.run] = followed
            return
        }
        if self.processes(of: run, among: living()).isEmpty {
            // They have all ended between being found and being opened.
            report(.leftoverGone(run.identifier))
        } else {
            lookLater(run)
        }
    }

    private func lookAgain(_ run: RunRecord) {
        for (watch, pidfd) in watches.removeValue(forKey: run.run) ?? [] {
            loop.unwatch(watch)
            pidfd.close()
        }
        let left = processes(of: run, among: living())
        if left.isEmpty {
            report(.leftoverGone(run.identifier))
        } else {
            follow(left, of: run)
        }
    }

    /// Descriptors ran out: nothing will tell when they end, so that they are looked at again after a while.
    private func lookLater(_ run: RunRecord) {
        unwatched[run.run] = run
        let timer = retry ?? (try? loop.makeTimer(clock: .awake) { [weak self] in self?.lookAtUnwatched() })
        retry = timer
        timer?.arm(atMilliseconds: SystemClock.milliseconds(.awake) + Self.retryMilliseconds)
    }

    private func lookAtUnwatched() {
        let runs = unwatched.values.sorted { $0.run < $1.run }
        unwatched = [:]
        for run in runs { lookAgain(run) }
    }
}
