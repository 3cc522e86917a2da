import Platform
import SystemPlatform

/// Waits until no process of some kind is left, and says so once.
///
/// Nothing is ever signalled here: a number that was read may be somebody else's by now.
/// Unchecked because it is used on the loop only.
final class EndWatch: @unchecked Sendable {
    private static let retryMilliseconds: Int64 = 5_000

    private let loop: EventLoop
    private let find: () -> [ProcessIdentity]
    private let gone: () -> Void
    private var watches: [(watch: WatchToken, pidfd: OwnedDescriptor)] = []
    private var retry: LoopTimer?

    /// - Parameters:
    ///   - find: looks for the processes that live now.
    ///   - gone: called once, in a turn of the loop, when none does.
    init(on loop: EventLoop, find: @escaping () -> [ProcessIdentity], gone: @escaping () -> Void) {
        self.loop = loop
        self.find = find
        self.gone = gone
    }

    /// Says when nothing of the group of a child that was reaped lives any more; at once, without a watch, if nothing does.
    static func ofGroup(of child: ChildProcess, on loop: EventLoop, gone: @escaping () -> Void) -> EndWatch? {
        let left = child.leftInGroup()
        guard !left.isEmpty else {
            gone()
            return nil
        }
        let watch = EndWatch(on: loop, find: child.leftInGroup, gone: gone)
        watch.follow(left)
        return watch
    }

    /// Begins with what was just found.
    func follow(_ processes: [ProcessIdentity]) {
        for process in processes {
            guard let pidfd = ProcessTable.openPidfd(process) else { continue }
            if let watch = try? loop.watch(pidfd.raw, for: .read, handler: { [weak self] _ in self?.lookAgain() }) {
                watches.append((watch, pidfd))
            }
        }
        // All have ended between being found and being opened, or descriptors ran out: nothing will tell.
        if watches.isEmpty { look(after: find().isEmpty ? 0 : Self.retryMilliseconds) }
    }

    // MARK: - Private

    private func lookAgain() {
        for (watch, pidfd) in watches {
            loop.unwatch(watch)
            pidfd.close()
        }
        watches = []
        let left = find()
        if left.isEmpty { gone() } else { follow(left) }
    }

    private func look(after milliseconds: Int64) {
        let timer = retry ?? (try? loop.makeTimer(clock: .awake) { [weak self] in self?.lookAgain() })
        retry = timer
        timer?.arm(atMilliseconds: SystemClock.milliseconds(.awake) + milliseconds)
    }
}
