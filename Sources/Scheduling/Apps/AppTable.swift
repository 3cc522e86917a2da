/// One app: its manifest, its phase, what is kept of it and its pending requests.
struct AppEntry: Sendable {
    var identifier: AppIdentifier
    var description: AppDescription?
    var settings: [TaskIdentifier: TaskSettings] = [:]
    var successor = Successor.none
    var phase = AppPhase.starting
    var facts: AppFacts
    var recovered: RecoveryCause?
    /// The process of its handlers, if they have one of their own.
    var process = AppProcess()
    var pending = KindCounts()
    /// Those of `pending` that no manifest permits, or whose bundle is gone: they count in no limit (B42).
    var stranded = KindCounts()
    /// Runs that have not ended.
    var running = 0
    /// Up to here its runs are counted in its quotas.
    var quotaUntil: AwakeTime?
    var expeditedUntil: AwakeTime?
    var onDemandRegistrations = 0
    /// Registered tasks that a pattern admits, so that the manifest does not list them.
    var patternRegistrations: [Int32] = []
    /// The first of its pending requests; they are linked.
    var firstTask: Int32 = -1

    init(identifier: AppIdentifier, facts: AppFacts? = nil) {
        self.identifier = identifier
        self.facts = facts ?? AppFacts(app: identifier)
    }

    /// Whether its handlers may be started: a manifest that waits lets nothing new begin.
    var isOpen: Bool {
        switch (phase, successor) {
        case (.launched, .none): true
        case (.launched, .manifest), (.launched, .removal), (.starting, _), (.registering, _), (.missing, _): false
        }
    }
}

/// What an app becomes when its last run has ended (B42).
enum Successor: Sendable {
    case none
    /// A newer manifest.
    case manifest(AppDescription)
    /// Its bundle is gone.
    case removal

    var isWaiting: Bool {
        switch self {
        case .none: false
        case .manifest, .removal: true
        }
    }
}

/// Pending requests by what limits tell apart (B13).
struct KindCounts: Hashable, Sendable {
    var refresh = 0
    var processing = 0
    var continued = 0

    var total: Int { refresh + processing + continued }

    mutating func add(_ change: Int, to kind: TaskKind) {
        switch kind {
        case .appRefresh: refresh += change
        case .processing, .healthResearch: processing += change
        case .continuedProcessing: continued += change
        }
    }
}

/// The apps by index and by identifier, and who owns which identifier (B3).
struct AppTable: Sendable {
    var entries: [AppEntry] = []
    private var index: [AppIdentifier: Int32] = [:]
    private var exact: [TaskIdentifier: Int32] = [:]
    private var prefixes: [String: Int32] = [:]
    /// Apps whose manifest permits what an earlier app owns, in the order in which they came.
    private var contested: [PermittedIdentifier: [Int32]] = [:]

    subscript(app: Int32) -> AppEntry {
        @inline(__always) get { entries[Int(app)] }
        _modify { yield &entries[Int(app)] }
    }

    /// Read where they stand: an entry is much to copy, and each launch asks for its settings many times.
    func settings(of task: TaskIdentifier, in app: Int32) -> TaskSettings? {
        entries.withUnsafeBufferPointer { $0[Int(app)].settings[task] }
    }

    func find(_ app: AppIdentifier) -> Int32? {
        index[app]
    }

    mutating func findOrInsert(_ app: AppIdentifier, facts: AppFacts? = nil) -> Int32 {
        if let known = index[app] { return known }
        let position = Int32(entries.count)
        entries.append(AppEntry(identifier: app, facts: facts))
        index[app] = position
        return position
    }

    /// The app whose manifest permits the identifier: exact beats wildcard, the longer prefix the shorter.
    func owner(of identifier: TaskIdentifier) -> Int32? {
        if let app = exact[identifier] { return app }
        guard !prefixes.isEmpty else { return nil }
        var stem = identifier.text.utf8[...]
        while let dot = stem.lastIndex(of: UInt8(ascii: ".")) {
            if let app = prefixes[String(identifier.text[...dot])] { return app }
            stem = stem[..<dot]
        }
        return nil
    }

    /// Whether the app owns the identifier by an exact entry.
    func listsExactly(_ identifier: TaskIdentifier, of app: Int32) -> Bool {
        exact[identifier] == app
    }

    /// Takes an app's permitted identifiers in; what an earlier app owns stays with it.
    mutating func permit(_ permitted: [PermittedIdentifier], to app: Int32) {
        for entry in permitted {
            if let owner = owner(of: entry) {
                if owner != app { contested[entry, default: []].append(app) }
            } else {
                setOwner(app, of: entry)
            }
        }
    }

    /// Takes an app's permitted identifiers away, and gives them to the app that comes next; returns such apps.
    mutating func forbidAll(to app: Int32) -> [Int32] {
        var heirs: [Int32] = []
        for entry in self[app].description?.permitted ?? [] {
            if owner(of: entry) == app {
                let heir = contested[entry]?.first
                setOwner(heir, of: entry)
                if let heir, !heirs.contains(heir) { heirs.append(heir) }
            }
            guard var others = contested[entry] else { continue }
            others.removeAll { $0 == app || $0 == owner(of: entry) }
            contested[entry] = others.isEmpty ? nil : others
        }
        return heirs
    }

    /// The manifest's entry that admits the identifier, as its text.
    func entry(permitting identifier: TaskIdentifier, in app: Int32) -> String? {
        guard let permitted = self[app].description?.permitted else { return nil }
        return permitted.first { $0 == .exact(identifier) }?.text
            ?? permitted.filter { $0.admits(identifier) }.map(\.text).max { $0.utf8.count < $1.utf8.count }
    }

    /// Permitted entries of the apps, for finding the nearest name; not all when there are very many.
    var permittedTexts: some Sequence<String> {
        entries.lazy.compactMap(\.description).flatMap { $0.permitted.lazy.map(\.text) }.prefix(2_000)
    }

    // MARK: - Private

    private func owner(of entry: PermittedIdentifier) -> Int32? {
        switch entry {
        case .exact(let identifier): exact[identifier]
        case .prefix(let prefix): prefixes[prefix]
        }
    }

    private mutating func setOwner(_ app: Int32?, of entry: PermittedIdentifier) {
        switch entry {
        case .exact(let identifier): exact[identifier] = app
        case .prefix(let prefix): prefixes[prefix] = app
        }
    }
}
