/// One app: its manifest, its phase, what is kept of it and its pending requests.
struct AppEntry: Sendable {
    var identifier: AppIdentifier
    var description: AppDescription?
    var settings: [TaskIdentifier: TaskSettings] = [:]
    /// A newer manifest that waits until the app has no run (B42).
    var replacement: AppDescription?
    var isRemovedWhenIdle = false
    var phase = AppPhase.starting
    var facts: AppFacts
    var recovered: RecoveryCause?
    var pendingRefresh = 0
    var pendingProcessing = 0
    var pendingContinued = 0
    var running = 0
    var onDemandRegistrations = 0
    var firstTask: Int32 = -1
    /// The boot time at which its last scheduled runs started, for rate limits.
    var lastRefreshStart: BootTime?
    var lastProcessingStart: BootTime?

    init(identifier: AppIdentifier, facts: AppFacts? = nil) {
        self.identifier = identifier
        self.facts = facts ?? AppFacts(app: identifier)
    }

    var pending: Int { pendingRefresh + pendingProcessing + pendingContinued }
}

/// The apps by index and by identifier, and who owns which identifier (B3).
struct AppTable: Sendable {
    var entries: [AppEntry] = []
    private var index: [AppIdentifier: Int32] = [:]
    private var exact: [TaskIdentifier: Int32] = [:]
    private var prefixes: [String: Int32] = [:]

    subscript(app: Int32) -> AppEntry {
        get { entries[Int(app)] }
        _modify { yield &entries[Int(app)] }
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
        var stem = identifier.text[...]
        while let dot = stem.dropLast().lastIndex(of: ".") {
            stem = stem[...dot]
            if let app = prefixes[String(stem)] { return app }
        }
        return nil
    }

    /// Takes an app's permitted identifiers in; what an earlier app owns stays with it.
    mutating func permit(_ permitted: [PermittedIdentifier], to app: Int32) {
        for entry in permitted {
            switch entry {
            case .exact(let identifier): if exact[identifier] == nil { exact[identifier] = app }
            case .prefix(let prefix): if prefixes[prefix] == nil { prefixes[prefix] = app }
            }
        }
    }

    mutating func forbidAll(to app: Int32) {
        guard let permitted = self[app].description?.permitted else { return }
        for entry in permitted {
            switch entry {
            case .exact(let identifier): if exact[identifier] == app { exact[identifier] = nil }
            case .prefix(let prefix): if prefixes[prefix] == app { prefixes[prefix] = nil }
            }
        }
    }

    /// The manifest's entry that admits the identifier, as its text.
    func entry(permitting identifier: TaskIdentifier, in app: Int32) -> String? {
        guard let permitted = self[app].description?.permitted else { return nil }
        return permitted.first { $0 == .exact(identifier) }?.text
            ?? permitted.filter { $0.admits(identifier) }.map(\.text).max { $0.utf8.count < $1.utf8.count }
    }

    /// Every permitted entry of every app, for finding the nearest name.
    var permittedTexts: some Sequence<String> {
        entries.lazy.compactMap(\.description).flatMap { $0.permitted.lazy.map(\.text) }
    }
}
