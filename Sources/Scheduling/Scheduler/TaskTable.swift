/// Where a pending request stands. Each slot is in at most one place.
enum Place: UInt8, Sendable {
    /// No request is pending. Can transition to any place.
    case nowhere
    /// In the heap of wall deadlines. Can transition to any place.
    case wall
    /// In the heap of boot deadlines. Can transition to any place.
    case boot
    /// In a waiting set. Can transition to any place.
    case waiting
    /// All gates but the global ones were open when it came here. Can transition to any place.
    case ready
}

/// What is known of one task: its registration, its pending request and its current run.
///
/// Kept small and free of references, since there may be a million, which are copied and compared a lot: its identifier
/// is in a column of its own, and what few tasks have lives in side tables.
struct TaskEntry: Sendable {
    static let noFloor = Int64.min

    var floor = noFloor
    var submittedWall: Int64 = 0
    var submittedBoot: Int64 = 0
    var submission: Int64 = 0
    var backoffUntil = noFloor
    /// Since when, on the boot clock, its request is in its place.
    var placedBoot: Int64 = 0

    /// The app that owns it.
    var app: Int32
    /// The run that holds `alreadyRunning` closed, or -1.
    var run: Int32 = -1
    var nextInApp: Int32 = -1
    var previousInApp: Int32 = -1
    var attempts: UInt16 = 0
    var postponements: UInt16 = 0

    var isUsed = true
    fileprivate(set) var isRegistered = false
    fileprivate(set) var registeredKind: TaskKind?
    /// What is known of the kind of a handler that could not say it.
    fileprivate(set) var unsaidKind: UnsaidKind?
    var hasLeftover = false
    /// Its pending request is not permitted or its app is missing, so that it counts in no limit (B42).
    var isStranded = false
    fileprivate(set) var hasRequest = false
    /// The side table has something for its pending request.
    fileprivate(set) var hasExtras = false

    var kind = TaskKind.appRefresh
    var maker = RequestMaker.caller
    var requiresNetworkConnectivity = false
    var requiresExternalPower = false
    var place = Place.nowhere
    /// The gate that holds it in its place.
    var gate = GateName.earliestBeginDate

    init(app: Int32) {
        self.app = app
    }

    /// The floor that holds it; continued processing ignores floors (B29).
    var effectiveFloor: Int64 { kind == .continuedProcessing ? Self.noFloor : floor }

    /// The time by which waiting requests are ordered: no floor counts as the submission (B30).
    var order: Int64 { effectiveFloor == Self.noFloor ? submittedWall : floor }
}

/// What only few pending requests have.
struct RequestExtras: Sendable {
    var title: String?
    var subtitle: String?
    var strategy: SubmissionStrategy?
    var waits: [GateWait] = []
}

/// What became of a task's last request, for an answer to who finds none pending (B32).
enum RequestOutcome: Sendable {
    case consumed(RunIdentifier, RunState)
    case cancelled
    case refused(String)

    var sentence: String {
        switch self {
        case .consumed(let run, let state):
            "Run \(run.number) consumed the last request and ended as \(state.rawValue)."
        case .cancelled: "The last request was cancelled."
        case .refused(let message): "The last submission was refused: \(message)"
        }
    }
}

/// The tasks by slot and by identifier.
struct TaskTable: Sendable {
    var entries: ContiguousArray<TaskEntry> = []
    private var identifiers: ContiguousArray<TaskIdentifier> = []
    private var extras: [Int32: RequestExtras] = [:]
    var facts: [Int32: TaskFacts] = [:]
    /// Where registrations came from (B6); a command's comes from its manifest, and is not kept.
    private var origins: ContiguousArray<String?> = []
    var outcomes: [Int32: RequestOutcome] = [:]
    private(set) var pendingCount = 0
    private(set) var registeredCount = 0
    /// Facts of tasks that have no slot yet.
    private var unclaimedFacts: [TaskIdentifier: TaskFacts] = [:]
    private var index: [TaskIdentifier: Int32] = [:]
    private var free: [Int32] = []

    mutating func reserve(_ count: Int) {
        entries.reserveCapacity(count)
        identifiers.reserveCapacity(count)
        index.reserveCapacity(count)
    }

    subscript(slot: Int32) -> TaskEntry {
        @inline(__always) get { entries[Int(slot)] }
        _modify { yield &entries[Int(slot)] }
    }

    func slot(of identifier: TaskIdentifier) -> Int32? {
        index[identifier]
    }

    var usedSlots: [Int32] {
        entries.indices.lazy.filter { entries[$0].isUsed }.map { Int32($0) }
    }

    func identifier(of slot: Int32) -> TaskIdentifier {
        identifiers[Int(slot)]
    }

    mutating func findOrInsert(_ identifier: TaskIdentifier, app: Int32) -> Int32 {
        let fresh = free.last ?? Int32(entries.count)
        // One search for both: the subscript puts the new slot in when there is none.
        let slot = Self.read(&index[identifier, default: fresh])
        guard slot == fresh else { return slot }
        if free.popLast() == nil {
            entries.append(TaskEntry(app: app))
            identifiers.append(identifier)
        } else {
            entries[Int(slot)] = TaskEntry(app: app)
            identifiers[Int(slot)] = identifier
        }
        if !unclaimedFacts.isEmpty, let kept = unclaimedFacts.removeValue(forKey: identifier) { facts[slot] = kept }
        return slot
    }

    /// Forgets a task of which nothing is left.
    mutating func removeIfEmpty(_ slot: Int32) -> Bool {
        guard self[slot].isUsed, !self[slot].isRegistered, !self[slot].hasRequest, self[slot].run < 0,
            !self[slot].hasLeftover, facts[slot] == nil
        else { return false }
        index[identifiers[Int(slot)]] = nil
        entries[Int(slot)].isUsed = false
        identifiers[Int(slot)] = TaskIdentifier(checked: "")
        removeExtras(of: slot)
        setOrigin(nil, of: slot)
        outcomes[slot] = nil
        free.append(slot)
        return true
    }

    /// Takes stored facts in; they wait for their task when it has no slot yet.
    mutating func adopt(_ stored: TaskFacts) {
        if let slot = slot(of: stored.identifier) {
            facts[slot] = stored
        } else {
            unclaimedFacts[stored.identifier] = stored
        }
    }

    mutating func forgetFacts() {
        facts = [:]
        unclaimedFacts = [:]
    }

    mutating func setRegistered(
        _ registered: Bool, kind: TaskKind?, unsaid: UnsaidKind? = nil, origin: String?, at slot: Int32
    ) {
        if self[slot].isRegistered != registered { registeredCount += registered ? 1 : -1 }
        self[slot].isRegistered = registered
        self[slot].registeredKind = kind
        self[slot].unsaidKind = unsaid
        setOrigin(origin, of: slot)
    }

    /// A request was submitted that says its kind.
    mutating func noteSubmitted(_ kind: TaskKind, at slot: Int32) {
        if self[slot].unsaidKind != nil { self[slot].unsaidKind = .submitted(kind) }
    }

    func extras(of slot: Int32) -> RequestExtras? {
        self[slot].hasExtras ? extras[slot] : nil
    }

    mutating func setExtras(_ new: RequestExtras, of slot: Int32) {
        extras[slot] = new
        self[slot].hasExtras = true
    }

    /// Counts a wait of the pending request.
    mutating func addWait(_ milliseconds: Int64, at gate: GateName, of slot: Int32) {
        extras[slot, default: RequestExtras()].waits.add(milliseconds, to: gate)
        self[slot].hasExtras = true
    }

    mutating func removeExtras(of slot: Int32) {
        guard self[slot].hasExtras else { return }
        extras[slot] = nil
        self[slot].hasExtras = false
    }

    func origin(of slot: Int32) -> String? {
        Int(slot) < origins.count ? origins[Int(slot)] : nil
    }

    mutating func setHasRequest(_ has: Bool, at slot: Int32) {
        if self[slot].hasRequest != has { pendingCount += has ? 1 : -1 }
        self[slot].hasRequest = has
    }

    // MARK: - Private

    private mutating func setOrigin(_ origin: String?, of slot: Int32) {
        if Int(slot) >= origins.count {
            guard origin != nil else { return }
            origins.append(contentsOf: repeatElement(nil, count: entries.count - origins.count))
        }
        origins[Int(slot)] = origin
    }

    private static func read(_ slot: inout Int32) -> Int32 {
        slot
    }
}
