import Plugins
import RPC
import Scheduling
import SystemPlatform
import Testing

@testable import RunnerDaemon

@Suite("The configuration file")
struct ConfigurationFileTests {
    private static let start = DaemonConfiguration(socketPath: "/s", stateFolder: "/st", pluginFolders: ["/p"])

    private func read(_ text: String) -> (configuration: DaemonConfiguration, problems: [ManifestProblem]) {
        var configuration = Self.start
        let problems = ConfigurationFile.apply(Array(text.utf8), path: "f.json", home: "/home/user", to: &configuration)
        return (configuration, problems)
    }

    /// A file with one value at a key path.
    private func file(_ path: String, _ value: String) -> String {
        path.split(separator: ".").reversed().reduce(value) { "{\"\($1)\": \($0)}" }
    }

    @Test("an empty dictionary changes nothing")
    func empty() {
        let (configuration, problems) = read("{} // nothing")
        #expect(configuration == Self.start)
        #expect(problems == [])
    }

    @Test("every value is taken over")
    func values() {
        let (configuration, problems) = read(
            """
            {
                "socket": "~/control.sock", "state": "~", "plugins": ["/a", "~/b"],
                "policy": "prompt", "limits": "apple", "concurrency": 8, "idleStop": "5m",
                "budgets": {"appRefresh": "40s", "processing": "1h", "grace": "500ms"},
                "retention": {"runs": 5, "age": "1d"},
                "simulation": false, "logLevel": "debug", "logDestination": "stderr", "trustBundles": true,
                "definitions": {"TEAM": "com.example"},
                "access": {"socketMode": "0666", "group": "wheel", "others": "none", "users": {"alice": "admin", "7": "read"}},
                "connectionLimits": {
                    "line": "1M", "depth": 10, "batch": 11, "unanswered": 12, "subscriptions": 13, "connections": 14,
                    "connectionsPerUser": 15, "connectionsKeptForAdmins": 3, "output": 100000, "outputStall": "2s"
                }
            }
            """)
        #expect(problems == [])
        var expected = DaemonConfiguration(
            socketPath: "/home/user/control.sock", stateFolder: "/home/user", pluginFolders: ["/a", "/home/user/b"])
        expected.pluginFoldersAreDefault = false
        expected.policy.limits = .apple
        expected.policy.concurrency = 8
        expected.policy.timing.idleStop = .minutes(5)
        expected.policy.budgets.appRefresh = .seconds(40)
        expected.policy.budgets.processing = .hours(1)
        expected.policy.budgets.grace = .milliseconds(500)
        expected.retention = Retention(runs: 5, age: .days(1))
        expected.simulation = false
        expected.logLevel = .debug
        expected.logDestination = .standardError
        expected.trustBundles = true
        expected.definitions = ["TEAM": "com.example"]
        expected.access.socketMode = 0o666
        expected.access.group = "wheel"
        expected.access.others = nil
        expected.access.users = ["alice": .admin, "7": .read]
        expected.connectionLimits.lineBytes = 1_048_576
        expected.connectionLimits.depth = 10
        expected.connectionLimits.batchRequests = 11
        expected.connectionLimits.unansweredRequests = 12
        expected.connectionLimits.subscriptions = 13
        expected.connectionLimits.connections = 14
        expected.connectionLimits.connectionsPerUser = 15
        expected.connectionLimits.connectionsKeptForAdmins = 3
        expected.connectionLimits.outputBytes = 100_000
        expected.connectionLimits.outputStallMilliseconds = 2_000
        #expect(configuration == expected)
    }

    @Test("what help calls the default is the default", arguments: ConfigurationKey.all)
    func defaults(key: ConfigurationKey) {
        guard case .value(let text) = key.standard else { return }
        let (configuration, problems) = read(file(key.path, text))
        #expect(problems == [])
        #expect(configuration == Self.start)
    }

    @Test("every key is read: a value that fits nowhere is a problem of it", arguments: ConfigurationKey.all)
    func everyKeyIsRead(key: ConfigurationKey) {
        let problems = read(file(key.path, "null")).problems
        #expect(problems.map(\.key) == [key.path])
        #expect(problems.map(\.name) == [.wrongType])
    }

    @Test(
        "what is wrong is told with its key and the fix",
        arguments: [
            ("conccurency", "1", "Did you mean concurrency?"),
            ("budgets.apprefresh", "\"30s\"", "Did you mean appRefresh?"),
            ("retention.colour", "1", "Remove it; the keys here are runs, age."),
            ("access.other", "\"read\"", "Did you mean others?"),
            ("connectionLimits.lines", "1", "Did you mean line?"),
            ("concurrency", "0", "Write a whole number from 1 to 1024."),
            ("concurrency", "1025", "Write a whole number from 1 to 1024."),
            ("budgets.grace", "5", "Write a number and its unit (ms, s, m, h or d), such as \"5s\"."),
            ("budgets.grace", "\"61m\"", "Write at most \"1h\"."),
            ("budgets.appRefresh", "\"999ms\"", "Write at least \"1s\"."),
            ("idleStop", "\"99ms\"", "Write at least \"100ms\"."),
            ("idleStop", "60", "Write a number and its unit (ms, s, m, h or d), such as \"60s\"."),
            ("retention.age", "\"59m\"", "Write at least \"1h\"."),
            ("socket", "\"control.sock\"", "Write a path that begins with / or ~/."),
            ("state", "\"\"", "Write a path that begins with / or ~/."),
            ("state", "\"~other/state\"", "Write a path that begins with / or ~/."),
            ("limits", "\"aple\"", "Did you mean \"apple\"?"),
            ("policy", "\"promt\"", "Did you mean prompt?"),
            ("logLevel", "\"warn\"", "Did you mean \"warning\"?"),
            ("logDestination", "\"file\"", "Write \"automatic\", \"journal\", \"stderr\"."),
            ("simulation", "\"no\"", "Write true or false, without quotation marks."),
            ("definitions.a-b", "\"x\"", "Use letters, digits and _, and begin with a letter or _."),
            ("access.socketMode", "\"0640x\"", "or another octal number between these."),
            ("access.socketMode", "\"0777\"", "or another octal number between these."),
            ("access.socketMode", "\"0060\"", "or another octal number between these."),
            ("access.socketMode", "\"4666\"", "or another octal number between these."),
            ("access.socketMode", "438", "Write a string, such as \"0660\"."),
            ("access.group", "\"\"", "Write the name of a group, or remove the key."),
            ("access.users.alice", "\"none\"", "Write \"read\", \"operate\", \"admin\"."),
            ("connectionLimits.line", "1023", "Write from 1024 to 67108864 bytes, such as \"256M\"."),
            ("connectionLimits.connectionsKeptForAdmins", "256", "Write less than the number of connections."),
        ])
    func problems(path: String, value: String, fix: String) {
        let (_, problems) = read(file(path, value))
        #expect(problems.map(\.key) == [path])
        #expect(problems.first?.fix.hasSuffix(fix) == true, "\(problems)")
        #expect(problems.first?.file == "f.json")
        #expect(problems.first?.severity == .error)
    }

    @Test("the limits of numbers are as they are told", arguments: [1, 1_024])
    func boundaries(count: Int) {
        let (configuration, problems) = read(file("concurrency", "\(count)"))
        #expect(problems == [])
        #expect(configuration.policy.concurrency == count)
    }

    @Test(
        "the policies are chosen by name, each with limits of its own",
        arguments: [("prompt", Policy.prompt), ("apple", .apple()), ("doze", .doze())])
    func policies(name: String, policy: Policy) {
        let (configuration, problems) = read(file("policy", "\"\(name)\""))
        #expect(problems == [])
        #expect(configuration.policy == policy)
        #expect(configuration.policy.limits == (name == "apple" ? .apple : .generous))
    }

    @Test("an element is told by its place")
    func elements() {
        #expect(read(#"{"plugins": ["/a", "b"]}"#).problems.map(\.key) == ["plugins[1]"])
        #expect(read(#"{"plugins": ["/a", 5]}"#).problems.map(\.key) == ["plugins[1]"])
    }

    @Test("everything that is wrong is told at once, a line each")
    func everything() {
        let surroundings = FakeSurroundings(file: #"{"concurrency": "4", "budget": {}, "retention": {"runs": -1}}"#)
        guard case .failure(let message) = surroundings.parse() else {
            Issue.record("it was accepted")
            return
        }
        let file = FakeSurroundings.userFile
        #expect(
            message.split(separator: "\n") == [
                "\(file): error: budget: There is no such key. Did you mean budgets?",
                "\(file): error: concurrency: This must be a whole number and is a string. "
                    + "Write a whole number from 1 to 1024.",
                "\(file): error: retention.runs: -1 is out of range. Write a whole number from 1 to 10000000.",
            ])
    }

    @Test(
        "wrong syntax is told with its line",
        arguments: [
            ("{\n  // a comment\n  \"concurrency\": 4,\n}", 4), ("{\"a\": 1,\n \"a\": 2}", 2), ("", 1), ("{}\n{}", 2),
        ])
    func syntax(text: String, line: Int) {
        let (configuration, problems) = read(text)
        #expect(problems.map(\.name) == [.syntax])
        #expect(problems.first?.line == line)
        #expect(configuration == Self.start)
    }

    @Test("something else than a dictionary is refused")
    func noDictionary() {
        #expect(read("[]").problems.map(\.message) == ["The file holds an array instead of a dictionary."])
    }

    @Test("without a home ~ stands for nothing")
    func homeless() {
        var configuration = Self.start
        let problems = ConfigurationFile.apply(
            Array(#"{"state": "~/s"}"#.utf8), path: "f", home: nil, to: &configuration)
        #expect(problems.map(\.key) == ["state"])
    }

    @Test("users are found by name and by number")
    func users() {
        var access = AccessConfiguration()
        access.users = ["alice": .admin, "1001": .read, "1002": .operate, "nobody-has-this": .read]
        let resolved = access.resolvedUsers { $0 == "alice" ? 1_001 : nil }
        #expect(resolved.levels == [1_001: .admin, 1_002: .operate])
        #expect(resolved.unknown == ["nobody-has-this"])
    }

    @Test("the disk's answers are told apart")
    func disk() {
        #expect(ConfigurationFile.read("/nowhere/runner.json") == .missing)
        #expect(ConfigurationFile.read("/dev/null/runner.json") == .missing)
        #expect(ConfigurationFile.read("/dev/null") == .unreadable("This is not a regular file."))
        #expect(ConfigurationFile.read("/") == .unreadable("This is not a regular file."))
        guard case .bytes(let bytes) = ConfigurationFile.read(#filePath) else {
            Issue.record("a file was not read")
            return
        }
        #expect(bytes.starts(with: Array("import Plugins\n".utf8)))
    }
}
