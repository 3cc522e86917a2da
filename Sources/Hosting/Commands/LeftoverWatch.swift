import Platform
import Runner
package import Scheduling
package import SystemPlatform

/// Finds what commands left behind when the daemon died, and tells when it is gone (04, *Supervision*).
///
/// Unchecked because it is used on the loop only.
package final class LeftoverWatch: @unchecked Sendable {
    private static let mostPasses = 8
    /// A killed process is gone in milliseconds, unless it had very much memory.
    private static let endingMilliseconds: Int64 = 2_000

    private let loop: EventLoop
    private let environment: CommandEnvironment
    private let boot: BootIdentifier
    private let report: (Event) -> Void
    private var watches: [RunIdentifier: EndWatch] = [:]
    private var appWatches: [AppIdentifier: EndWatch] = [:]

    package init(
        on loop: EventLoop, environment: CommandEnvironment, boot: BootIdentifier, report: @escaping (Event) -> Void
    ) {
        self.loop = loop
        self.environment = environment
        self.boot = boot
        self.report = report
    }

    /// Looks for processes of runs that had not ended; reports those that still live.
    package func look(for leftovers: [Leftover]) {
        guard !leftovers.isEmpty else { return }
        let all = living()
        for leftover in leftovers {
            let found = processes(of: leftover, among: all)
            guard !found.isEmpty else { continue }
            report(.leftoverFound(leftover))
            let watch = EndWatch(on: loop) { [unowned self] in
                processes(of: leftover, among: living())
            } gone: { [unowned self] in
                watches[leftover.run] = nil
                report(.leftoverGone(leftover.identifier))
            }
            watches[leftover.run] = watch
            watch.follow(found)
        }
    }

    /// Looks for processes of apps that the last runner started; reports those that still live.
    ///
    /// One may have been started that the store does not know, since nothing waits for that commit.
    package func look(forProcessesOf apps: [AppIdentifier], marks facts: [AppFacts]) {
        let marks = Dictionary(
            facts.compactMap { facts in facts.process.map { (facts.app, $0) } }, uniquingKeysWith: { $1 })
        let all = Set(apps).union(marks.keys)
        guard !all.isEmpty else { return }
        let living = living()
        for app in all.sorted() {
            let (name, mark) = (environment.launchName(app), marks[app])
            let found = processes(named: name, mark, among: living)
            guard !found.isEmpty else {
                // What is kept of it is out of date.
                if mark != nil { report(.appLeftoverGone(app)) }
                continue
            }
            report(.appLeftoverFound(app))
            let watch = EndWatch(on: loop) { [unowned self] in
                processes(named: name, mark, among: self.living())
            } gone: { [unowned self] in
                appWatches[app] = nil
                report(.appLeftoverGone(app))
            }
            appWatches[app] = watch
            watch.follow(found)
        }
    }

    // MARK: - Private

    /// All processes, seen until a pass finds none that the passes before did not: one that was just being started, or
    /// was started behind the back of a pass, shows itself in the next.
    private func living() -> [ProcessTable.Process] {
        var seen: Set<ProcessTable.Process> = []
        let deadline = SystemClock.milliseconds(.awake) + Self.endingMilliseconds
        for _ in 0..<Self.mostPasses {
            let pass = ProcessTable.all(withVariable: CommandEnvironment.launchVariable)
            let before = seen.count
            seen.formUnion(pass)
            // One that is ending shows nothing that tells whose it was, and may still hold what it had open.
            let ending = pass.filter { $0.isEnding && $0.value == nil }
            for process in ending {
                guard let pidfd = ProcessTable.openPidfd(process.identity) else { continue }
                _ = BlockingIO.wait(for: .reading, of: pidfd.raw, until: deadline)
            }
            if ending.isEmpty, before > 0, seen.count == before { break }
        }
        return seen.filter { ProcessIdentity(pid: $0.identity.pid) == $0.identity }
    }

    private func processes(of leftover: Leftover, among living: [ProcessTable.Process]) -> [ProcessIdentity] {
        processes(named: environment.launchName(leftover.run), leftover.process, among: living)
    }

    private func processes(
        named name: String, _ mark: ProcessMark?, among living: [ProcessTable.Process]
    ) -> [ProcessIdentity] {
        var found = Set(living.filter { $0.value == name }.map(\.identity))
        if let mark, mark.bootIdentifier == boot {
            let members = living.filter { $0.group == mark.group }.map(\.identity)
            let leader = members.first { $0.pid == mark.group }
            // A leader that started at another time leads another group that has the number now.
            if leader == nil || leader?.startTime == mark.startTime { found.formUnion(members) }
        }
        return found.sorted { $0.pid < $1.pid }
    }
}
