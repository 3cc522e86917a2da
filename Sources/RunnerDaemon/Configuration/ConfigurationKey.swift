/// A key of the configuration file: the one list from which unknown keys are told, and which help shows.
struct ConfigurationKey: Hashable, Sendable {
    enum Default: Hashable, Sendable {
        /// As it would be written in the file.
        case value(String)
        /// It depends on something; in words.
        case depends(String)

        var text: String {
            switch self {
            case .value(let text), .depends(let text): text
            }
        }
    }

    /// The key path.
    let path: String
    let standard: Default
    /// Sentences.
    let help: String

    init(_ path: String, _ standard: Default, _ help: String) {
        self.path = path
        self.standard = standard
        self.help = help
    }

    /// The names that may stand in the dictionary at a path; at the top when it is empty.
    static func names(in path: String) -> [String] {
        let prefix = path.isEmpty ? "" : path + "."
        var names: [String] = []
        for key in all where key.path.hasPrefix(prefix) {
            let name = String(key.path.dropFirst(prefix.count).prefix { $0 != "." })
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    static let all: [ConfigurationKey] =
        places + scheduling + [
            ConfigurationKey("simulation", .value("true"), "Whether simulate and override methods work, for anybody."),
            ConfigurationKey("logLevel", .value("\"info\""), "error, warning, notice, info or debug."),
            ConfigurationKey(
                "logDestination", .value("\"automatic\""),
                "journal, stderr, or automatic: the journal when standard error leads there."),
            ConfigurationKey(
                "trustBundles", .value("false"), "Accepts bundles that other users could have written."),
            ConfigurationKey("definitions", .value("{}"), "Values for $(NAME) in manifests, by name."),
        ] + access + connections

    private static let places = [
        ConfigurationKey(
            "socket", .depends("/run/runner/control.sock; for a user $XDG_RUNTIME_DIR/runner/control.sock"),
            "The control socket. Clients do not read this file: tell them with RUNNER_SOCKET or --socket."),
        ConfigurationKey(
            "state", .depends("/var/lib/runner; for a user $XDG_STATE_HOME/runner"),
            "The folder of the store. One daemon at a time holds it."),
        ConfigurationKey(
            "plugins",
            .depends(
                "/etc/runner/plugins, /usr/lib/runner/plugins; for a user $XDG_CONFIG_HOME/runner/plugins, "
                    + "$XDG_DATA_HOME/runner/plugins"),
            "The folders of the bundles; the first that has an identifier keeps it."),
    ]

    private static let scheduling = [
        ConfigurationKey(
            "policy", .value("\"prompt\""),
            "Which gates apply: prompt (what a request asks for), apple (all the factors that Apple names) or doze "
                + "(Android's maintenance windows, standby buckets and quotas)."),
        ConfigurationKey(
            "limits", .depends("those of the policy: \"apple\" under apple, else \"generous\""),
            "How many requests may be pending: generous (1,000 an app) or apple (1 app refresh and 10 processing an app)."
        ),
        ConfigurationKey("concurrency", .value("4"), "How many runs may be in flight at once, over all apps."),
        ConfigurationKey(
            "idleStop", .value("\"60s\""),
            "How long the process of a plugin stays when it has nothing to do; it is started again when it has."),
        ConfigurationKey(
            "budgets.appRefresh", .value("\"30s\""), "How long an app refresh may take, unless its manifest says."),
        ConfigurationKey(
            "budgets.processing", .value("\"10m\""), "How long processing may take, unless its manifest says."),
        ConfigurationKey(
            "budgets.grace", .value("\"5s\""), "How long an expired run may take to end, unless its manifest says."),
        ConfigurationKey("retention.runs", .value("10000"), "How many ended runs history keeps."),
        ConfigurationKey("retention.age", .value("\"90d\""), "How long history keeps them."),
    ]

    private static let access = [
        ConfigurationKey(
            "access.socketMode", .depends("\"0660\" when the socket has a group, else \"0600\""),
            "The mode of the socket's file, in octal. \"0666\" lets everybody connect."),
        ConfigurationKey(
            "access.group", .depends("\"runner\" for the system's own socket, where there is such a group"),
            "The group of the socket; its members operate."),
        ConfigurationKey(
            "access.others", .value("\"read\""),
            "What anybody else who can connect may do: none, read, operate or admin."),
        ConfigurationKey(
            "access.users", .value("{}"), "Levels of single users: read, operate or admin, by name or number."),
    ]

    private static let connections = [
        ConfigurationKey("connectionLimits.line", .value("\"256K\""), "The longest line that is read."),
        ConfigurationKey("connectionLimits.depth", .value("32"), "How deep arrays and objects may nest in it."),
        ConfigurationKey("connectionLimits.batch", .value("64"), "Requests in a batch."),
        ConfigurationKey("connectionLimits.unanswered", .value("1024"), "Unanswered requests of a connection."),
        ConfigurationKey("connectionLimits.subscriptions", .value("16"), "Subscriptions of a connection."),
        ConfigurationKey("connectionLimits.connections", .value("256"), "Connections in all."),
        ConfigurationKey(
            "connectionLimits.connectionsPerUser", .value("64"),
            "Connections of a user; root and the daemon's own user are exempt."),
        ConfigurationKey(
            "connectionLimits.connectionsKeptForAdmins", .value("8"), "How many of all are kept for admins."),
        ConfigurationKey(
            "connectionLimits.output", .value("\"1M\""),
            "With so much output waiting, nothing more is read from the connection."),
        ConfigurationKey(
            "connectionLimits.outputStall", .value("\"30s\""), "How long output may wait without any progress."),
    ]
}
