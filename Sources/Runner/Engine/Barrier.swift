import Scheduling

/// What leaves only after a commit.
enum Deferred {
    case effect(Effect)
    /// An answer that was computed from uncommitted state; `nil` tells that its batch is void.
    case answer((StoreFailure?) -> Void)
}

/// The changes of one or more loop turns, and what waits for them.
struct Batch {
    var changes: [StoreChange] = []
    var deferred: [Deferred] = []
    /// What happened in the world and cannot be undone: fed again if the commit fails.
    var facts: [(event: Event, at: Moment)] = []

    var isEmpty: Bool { changes.isEmpty && deferred.isEmpty }
}

/// The one barrier between what was computed and what may be seen (01, *Order and durability*).
///
/// At most one batch is being committed; what comes meanwhile gathers in the next, so that a hundred submits cost one
/// `fsync`.
struct Barrier {
    /// From so many held items on progress is held once a run, and how far back the run's last one is looked for.
    private static let longBacklog = 256
    private static let progressReach = 64

    private(set) var gathering = Batch()
    private(set) var committing: Batch?

    /// Nothing is uncommitted: what is computed now may leave at once.
    var isClear: Bool { committing == nil && gathering.changes.isEmpty }
    var hasChanges: Bool { !gathering.changes.isEmpty }

    mutating func add(_ change: StoreChange) {
        gathering.changes.append(change)
    }

    mutating func hold(_ deferred: Deferred) {
        if case .effect(.publish(.progressed(let record))) = deferred, replaceProgress(of: record) { return }
        gathering.deferred.append(deferred)
    }

    /// Only the newest progress of a run is held, or a command that tells it all the time would fill the memory while
    /// the disk is full.
    private mutating func replaceProgress(of record: RunRecord) -> Bool {
        guard gathering.deferred.count >= Self.longBacklog else { return false }
        for index in gathering.deferred.indices.suffix(Self.progressReach).reversed() {
            guard case .effect(.publish(.progressed(let held))) = gathering.deferred[index], held.run == record.run
            else { continue }
            gathering.deferred[index] = .effect(.publish(.progressed(record)))
            return true
        }
        return false
    }

    mutating func note(_ event: Event, at moment: Moment) {
        gathering.facts.append((event, moment))
    }

    /// The changes to commit now; `nil` while another commit is under way or nothing changed.
    mutating func beginCommit() -> [StoreChange]? {
        guard committing == nil, !gathering.changes.isEmpty else { return nil }
        committing = gathering
        gathering = Batch()
        return committing?.changes
    }

    /// The commit is durable: what waited for it may leave, and what waited behind it if nothing else changed.
    mutating func committed() -> [Deferred] {
        var released = committing?.deferred ?? []
        committing = nil
        if gathering.changes.isEmpty {
            released += gathering.deferred
            gathering.deferred = []
            gathering.facts = []
        }
        return released
    }

    /// The commit failed: everything since the last durable state is void.
    mutating func void() -> Batch {
        var void = committing ?? Batch()
        void.changes += gathering.changes
        void.deferred += gathering.deferred
        void.facts += gathering.facts
        committing = nil
        gathering = Batch()
        return void
    }

    /// A commit of facts failed: they stay together and are tried again.
    mutating func keepTrying() {
        guard var batch = committing else { return }
        batch.changes += gathering.changes
        batch.deferred += gathering.deferred
        batch.facts += gathering.facts
        committing = nil
        gathering = batch
    }
}
