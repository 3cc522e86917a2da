import Plugins
import RPC
import Scheduling
import SystemPlatform

/// Takes over what the configuration file says. What is wrong is noted, and the rest is read on.
struct ConfigurationReader {
    private let top: KeyedReader
    private let problems: ProblemList
    /// What `~` stands for.
    private let home: String?
    /// What an option chose; it stands over the file's.
    private let chosenPolicy: Policy?

    init(_ members: [String: ManifestValue], home: String?, chosenPolicy: Policy?, problems: ProblemList) {
        top = KeyedReader(members, problems: problems)
        self.home = home
        self.chosenPolicy = chosenPolicy
        self.problems = problems
    }

    func apply(to configuration: inout DaemonConfiguration) {
        top.refuseUnknown(besides: ConfigurationKey.names(in: ""))
        readPlaces(&configuration)
        readPolicy(&configuration.policy)
        readLog(&configuration)
        set(&configuration.simulation, top.boolean("simulation"))
        set(&configuration.trustBundles, top.boolean("trustBundles"))
        set(&configuration.definitions, definitions())
        if let reader = section("retention", example: "{\"runs\": 10000, \"age\": \"90d\"}") {
            set(&configuration.retention.runs, reader.integer("runs", in: 1...10_000_000).map { Int($0) })
            let range = Duration.hours(1)...DurationText.longest
            set(&configuration.retention.age, reader.duration("age", in: range, example: "90d"))
        }
        if let reader = section("access", example: "{\"others\": \"read\"}") {
            readAccess(reader, &configuration.access)
        }
        if let reader = section("connectionLimits", example: "{\"connections\": 256}") {
            readLimits(reader, &configuration.connectionLimits)
        }
    }

    // MARK: Parts

    private func readPlaces(_ configuration: inout DaemonConfiguration) {
        if let text = top.string("socket", example: "\"/run/runner/control.sock\"") {
            set(&configuration.socketPath, path(text, key: "socket"))
        }
        if let text = top.string("state", example: "\"/var/lib/runner\"") {
            set(&configuration.stateFolder, path(text, key: "state"))
        }
        if let texts = top.strings("plugins", example: "[\"/etc/runner/plugins\"]") {
            let folders = texts.enumerated().map { index, text in path(text, key: "plugins[\(index)]") }
            configuration.pluginFolders = folders.compactMap(\.self)
            configuration.pluginFoldersAreDefault = false
        }
    }

    private func readPolicy(_ policy: inout Policy) {
        if let name = top.string("policy", example: "\"prompt\"") {
            do {
                policy = try PolicyName.policy(name)
            } catch {
                problems.error(.invalidValue, top.key("policy"), error.message, fix: error.fix)
            }
        }
        if let chosenPolicy { policy = chosenPolicy }
        switch top.word("limits", as: LimitsWord.self) {
        case .generous: policy.limits = .generous
        case .apple: policy.limits = .apple
        case nil: break
        }
        set(&policy.concurrency, top.integer("concurrency", in: 1...1_024).map { Int($0) })
        let idleTimes = Duration.milliseconds(100)...DurationText.longest
        set(&policy.timing.idleStop, top.duration("idleStop", in: idleTimes, example: "60s"))
        if let reader = section("budgets", example: "{\"processing\": \"10m\"}") {
            let range = Duration.seconds(1)...DurationText.longest
            set(&policy.budgets.appRefresh, reader.duration("appRefresh", in: range))
            set(&policy.budgets.processing, reader.duration("processing", in: range, example: "10m"))
            let graces = Duration.milliseconds(1)...Duration.hours(1)
            set(&policy.budgets.grace, reader.duration("grace", in: graces, example: "5s"))
        }
    }

    private func readLog(_ configuration: inout DaemonConfiguration) {
        set(&configuration.logLevel, top.word("logLevel", as: LogLevelWord.self)?.level)
        switch top.word("logDestination", as: DestinationWord.self) {
        case .automatic: configuration.logDestination = .automatic
        case .journal: configuration.logDestination = .journal
        case .standardError: configuration.logDestination = .standardError
        case nil: break
        }
    }

    private func readAccess(_ reader: KeyedReader, _ access: inout AccessConfiguration) {
        if let text = reader.string("socketMode", example: "\"0660\"") {
            if let mode = Self.socketMode(text) {
                access.socketMode = mode
            } else {
                problems.error(
                    .invalidValue, reader.key("socketMode"), "\(KeyedReader.quoted(text)) is no mode of a socket.",
                    fix: "Write \"0600\", \"0660\" or \"0666\", or another octal number between these.")
            }
        }
        if let group = reader.string("group", example: "\"runner\"") {
            if group.isEmpty {
                problems.error(
                    .invalidValue, reader.key("group"), "The group's name is empty.",
                    fix: "Write the name of a group, or remove the key.")
            } else {
                access.group = group
            }
        }
        switch reader.word("others", as: OthersWord.self) {
        case .none?: access.others = nil
        case .read?: access.others = .read
        case .operate?: access.others = .operate
        case .admin?: access.others = .admin
        case nil: break
        }
        if let users = reader.dictionary("users", example: "{\"alice\": \"operate\"}") {
            for name in users.names { access.users[name] = users.word(name, as: LevelWord.self)?.level }
        }
    }

    private func readLimits(_ reader: KeyedReader, _ limits: inout ConnectionLimits) {
        func count(_ name: String, _ range: ClosedRange<Int64>) -> Int? {
            reader.integer(name, in: range).map { Int($0) }
        }
        set(&limits.lineBytes, reader.byteCount("line", in: 1_024...(64 << 20)).map { Int($0) })
        set(&limits.depth, count("depth", 2...1_024))
        set(&limits.batchRequests, count("batch", 1...10_000))
        set(&limits.unansweredRequests, count("unanswered", 1...1_000_000))
        set(&limits.subscriptions, count("subscriptions", 1...1_024))
        set(&limits.connections, count("connections", 1...65_536))
        set(&limits.connectionsPerUser, count("connectionsPerUser", 1...65_536))
        set(&limits.connectionsKeptForAdmins, count("connectionsKeptForAdmins", 0...65_535))
        set(&limits.outputBytes, reader.byteCount("output", in: 65_536...(1 << 30)).map { Int($0) })
        let stall = reader.duration("outputStall", in: .seconds(1)...Duration.days(1))
        set(&limits.outputStallMilliseconds, stall?.wholeMilliseconds)
        if limits.connectionsKeptForAdmins >= limits.connections {
            problems.error(
                .invalidValue, reader.key("connectionsKeptForAdmins"),
                "\(limits.connectionsKeptForAdmins) of \(limits.connections) connections are kept for admins, so that "
                    + "nobody else can connect.",
                fix: "Write less than the number of connections.")
        }
    }

    private func definitions() -> [String: String]? {
        guard let definitions = top.stringDictionary("definitions", example: "{\"TEAM\": \"com.example\"}") else {
            return nil
        }
        for name in definitions.keys.sorted() where !DefinitionName.isWellFormed(name) {
            problems.error(
                .invalidValue, "definitions.\(name)", "\(KeyedReader.quoted(name)) is no name for $(NAME).",
                fix: DefinitionName.rule)
        }
        return definitions
    }

    // MARK: Values

    private func set<Value>(_ place: inout Value, _ value: Value?) {
        if let value { place = value }
    }

    /// The reader of a nested dictionary whose names are all known.
    private func section(_ name: String, example: String) -> KeyedReader? {
        let reader = top.dictionary(name, example: example)
        reader?.refuseUnknown(besides: ConfigurationKey.names(in: name))
        return reader
    }

    /// An absolute path. A relative one would lead somewhere else from every working folder.
    private func path(_ text: String, key: String) -> String? {
        if text.hasPrefix("/") { return text }
        if let home, text == "~" || text.hasPrefix("~/") { return home + text.dropFirst() }
        problems.error(
            .invalidValue, key, "\(KeyedReader.quoted(text)) is not an absolute path.",
            fix: "Write a path that begins with / or ~/.")
        return nil
    }

    /// What a socket's mode can be: its owner connects, and nobody executes.
    static func socketMode(_ text: String) -> UInt32? {
        guard (3...4).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x37).contains($0) }),
            let mode = UInt32(text, radix: 8), mode & 0o600 == 0o600, mode & ~0o666 == 0
        else { return nil }
        return mode
    }
}
