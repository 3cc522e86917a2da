/// A run that has not ended, or whose code has not.
struct RunEntry: Sendable {
    var record: RunRecord
    var task: Int32
    var app: Int32
    var host: AppHost
    /// The process that has it, if its app has one.
    var process: ProcessNumber?
    /// Who is told that the handler was entered (B32).
    var call: CallIdentifier?
    /// What the run may take from the handler's entry on.
    var budget: Duration?
    var grace: Duration
    var enteredAwake: AwakeTime?
    /// Up to here its time is counted in what its app has used.
    var countedUntil: AwakeTime?
    /// A process has to answer the launch before this.
    var startDeadline: AwakeTime?
    var budgetDeadline: AwakeTime?
    var stallDeadline: AwakeTime?
    var graceDeadline: AwakeTime?
    /// Conditions that it needs and that are lost, with the time at which it is expired (B21).
    var lostConditions: [(condition: DeviceCondition, deadline: AwakeTime)] = []
    /// An expiration that came before the handler was entered.
    var expirationAtEntry: ExpirationReason?
    /// The run ended without its code: `alreadyRunning` stays closed until it returns (B24, B25).
    var isLingering = false

    var deadline: AwakeTime? {
        var nearest = Int64.max
        if let startDeadline { nearest = min(nearest, startDeadline.milliseconds) }
        if let graceDeadline { nearest = min(nearest, graceDeadline.milliseconds) }
        if let budgetDeadline { nearest = min(nearest, budgetDeadline.milliseconds) }
        if let stallDeadline { nearest = min(nearest, stallDeadline.milliseconds) }
        for lost in lostConditions { nearest = min(nearest, lost.deadline.milliseconds) }
        return nearest == .max ? nil : AwakeTime(milliseconds: nearest)
    }

    /// Takes a slot of the concurrency limit (B30).
    var takesSlot: Bool { record.origin == .scheduled && !record.state.isEnded }
}

/// The runs by slot and by number, with the heap of their awake deadlines.
struct RunTable: Sendable {
    private(set) var entries: ContiguousArray<RunEntry?> = []
    private(set) var deadlines = IndexedHeap()
    private var index: [RunIdentifier: Int32] = [:]
    private var free: [Int32] = []

    func slot(of run: RunIdentifier) -> Int32? {
        index[run]
    }

    subscript(slot: Int32) -> RunEntry {
        @inline(__always) get { entries[Int(slot)]! }
        _modify { yield &entries[Int(slot)]! }
    }

    mutating func insert(_ entry: RunEntry) -> Int32 {
        let slot: Int32
        if let reused = free.popLast() {
            slot = reused
            entries[Int(slot)] = entry
        } else {
            slot = Int32(entries.count)
            entries.append(entry)
        }
        index[entry.record.run] = slot
        return slot
    }

    mutating func remove(_ slot: Int32) {
        guard let entry = entries[Int(slot)] else { return }
        deadlines.remove(slot)
        index[entry.record.run] = nil
        entries[Int(slot)] = nil
        free.append(slot)
    }

    /// Files the run under its nearest deadline.
    mutating func scheduleDeadline(_ slot: Int32) {
        deadlines.remove(slot)
        guard let deadline = self[slot].deadline else { return }
        deadlines.insert(slot, key: deadline.milliseconds, tie: self[slot].record.run.number)
    }

    mutating func popDeadline(through now: AwakeTime) -> Int32? {
        deadlines.pop(through: now.milliseconds)
    }

    /// Runs that have not ended, by number.
    var active: [Int32] {
        entries.indices.filter { entries[$0]?.record.state.isEnded == false }.map(Int32.init)
            .sorted { self[$0].record.run < self[$1].record.run }
    }

    var activeCount: Int {
        entries.indices.count { entries[$0]?.record.state.isEnded == false }
    }
}
