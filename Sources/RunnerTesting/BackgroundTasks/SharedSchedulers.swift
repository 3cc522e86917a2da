import BackgroundTasks
import Platform

/// The virtual schedulers that there are now, for threads that know of no test.
enum SharedSchedulers {
    private struct Entry: Sendable {
        var shared: BGTaskScheduler
        weak var scheduler: VirtualScheduler?
    }

    private static let all = Locked<[Entry]>([])
    private static let ambiguous = BGTaskScheduler(backend: AmbiguousBackend())

    static func add(_ shared: BGTaskScheduler, _ scheduler: VirtualScheduler) {
        change { $0.append(Entry(shared: shared, scheduler: scheduler)) }
    }

    /// In whatever order tests end.
    static func remove(_ shared: BGTaskScheduler) {
        change { $0.removeAll { $0.shared === shared } }
    }

    static var living: [VirtualScheduler] { all.withLock { $0.compactMap(\.scheduler) } }

    // MARK: - Private

    private static func change(_ body: (inout [Entry]) -> Void) {
        all.withLock { all in
            body(&all)
            let fallback = all.count > 1 ? ambiguous : all.first?.shared
            BGTaskScheduler.fallback.withLock { $0 = fallback }
        }
    }
}
