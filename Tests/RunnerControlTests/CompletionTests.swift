import Testing

@testable import RunnerControl

@Suite("Completions")
struct CompletionTests {
    private let daemon = FakeDaemon { call, _ in
        switch call.method {
        case "registered": .result(#"{"identifiers":[{"identifier":"com.example.a"},{"identifier":"com.example.b"}]}"#)
        case "pending": .result(#"{"requests":[{"identifier":"com.example.b"}]}"#)
        case "running": .result(#"{"runs":[{"run":12,"identifier":"com.example.a"}]}"#)
        case "apps": .result(#"{"apps":[{"app":"com.example"}]}"#)
        default: .error(-32601, "methodNotFound", "no")
        }
    }

    /// The words that stand for the last one.
    private func words(
        _ line: [String], shell: String = "bash", daemon: FakeDaemon? = nil, listening: [String] = [Session.socket],
        completionTime: Int64 = 60_000
    ) -> [String] {
        let session = Session(
            ["completions", shell, "--"] + line, daemon: daemon, listening: listening, completionTime: completionTime)
        #expect(session.status == .done)
        #expect(session.errors == "")
        return session.output.split(separator: "\n").map { String($0) }
    }

    @Test("commands and their next words are completed")
    func commands() {
        #expect(words(["simulate-"]) == ["simulate-launch", "simulate-expiration"])
        #expect(Set(words([""])).isSuperset(of: ["submit", "device", "replay", "sockets", "completions", "help"]))
        #expect(words(["app", ""]) == ["opened", "force-quit", "set-refresh", "resume"])
        #expect(words(["device", "over"]) == ["override"])
        #expect(words(["--socket", "/a", "manif"]) == ["manifest"])
        #expect(words(["status", ""]) == [])
    }

    @Test("options are those of the command and of all")
    func options() {
        let options = words(["submit", "com.example.a", "--"])
        #expect(Set(options).isSuperset(of: ["--earliest", "--if-pending", "--json", "--socket"]))
        #expect(!options.contains("--budget"))
        #expect(words(["simulate-launch", "--no-"]) == ["--no-wait", "--no-color"])
        #expect(words(["submit", "--", "--ear"]) == [], "after -- nothing is an option")
    }

    @Test("values are the words that the option or the position takes")
    func values() {
        #expect(words(["submit", "--kind", "app"]) == ["app-refresh"])
        #expect(words(["submit", "--kind", "app-refresh", "--if-pending", ""]) == ["replace", "keep", "keep-earlier"])
        #expect(words(["device", "override", "the"]) == ["thermal"])
        #expect(words(["app", "set-refresh", "com.example", ""]) == ["on", "off"])
        #expect(words(["completions", ""]) == ["bash", "zsh", "fish"])
        #expect(words(["call", "simulateL"]) == ["simulateLaunch"])
        #expect(words(["help", "app", "force"]) == ["force-quit"])
        #expect(words(["submit", "--earliest", ""]) == [])
    }

    @Test("values of conditions depend on the condition, and event types may stand in a list")
    func dependentValues() {
        #expect(words(["device", "override", "network", ""]) == ["none", "metered", "unmetered"])
        #expect(words(["device", "report", "network", "n"]) == ["none", "null"])
        #expect(words(["device", "override", "thermal", "s"]) == ["serious"])
        #expect(words(["device", "override", "externalPower", ""]) == ["on", "off"])
        #expect(words(["device", "override", "battery-level", ""]) == [])
        #expect(words(["events", "--type", "gate"]) == ["gate-changed"])
        #expect(words(["events", "--types", "ended,la"]) == ["ended,launched"])
    }

    @Test("files are left to the shell")
    func files() {
        for line in [["replay", ""], ["--socket", "/r"], ["manifest", "check", "x"]] {
            #expect(words(line) == [CompletionShell.files])
        }
    }

    @Test("identifiers, runs and apps are asked of the daemon that the line chooses")
    func lists() {
        #expect(words(["explain", "com."], daemon: daemon) == ["com.example.a", "com.example.b"])
        #expect(words(["cancel", ""], daemon: daemon) == ["com.example.b"])
        #expect(words(["stop", ""], daemon: daemon) == ["com.example.a"])
        #expect(words(["wait", ""], daemon: daemon) == ["12"])
        #expect(words(["app", "opened", ""], daemon: daemon) == ["com.example"])
        let other = words(["--socket", "/other", "explain", ""], daemon: daemon, listening: ["/other"])
        #expect(other == ["com.example.a", "com.example.b"])
    }

    @Test("without a daemon, or with one that says no or nothing, there are no identifiers and no words of complaint")
    func noDaemon() {
        #expect(words(["explain", ""]) == [])
        #expect(words(["explain", ""], daemon: FakeDaemon { _, _ in .error(21, "accessDenied", "no") }) == [])
        #expect(words(["explain", ""], daemon: FakeDaemon { _, _ in .hangUp }) == [])
        #expect(words(["explain", ""], daemon: FakeDaemon { _, _ in .held }, completionTime: 50) == [])
        #expect(words(["--user", "--system", "explain", ""]) == [])
    }

    @Test("a value after = is completed, and only what the shell replaces is given")
    func equals() {
        #expect(words(["submit", "--kind", "=", "proc"]) == ["processing"])
        #expect(words(["submit", "--kind", "="], shell: "bash").contains("app-refresh"))
        #expect(words(["submit", "--kind=proc"], shell: "fish") == ["--kind=processing"])
        #expect(words(["submit", "--title", "=", "a", ":", "b", "--kind", "proc"]) == ["processing"])
        #expect(words(["submit", "--nothing=a"], shell: "fish") == [])
    }

    @Test("fish and zsh show what a word is for, and zsh gets its colons escaped")
    func summaries() {
        #expect(
            words(["cancel-a"], shell: "fish") == ["cancel-all\tTakes all pending requests back, or those of one app"])
        #expect(
            words(["cancel-a"], shell: "zsh") == ["cancel-all:Takes all pending requests back, or those of one app"])
        #expect(CompletionShell.zsh.line(Completer.Word(text: "a:b", summary: "")) == "a\\:b")
    }

    @Test("each shell has a script, and another shell is a usage error that lists them")
    func scripts() {
        for shell in CompletionShell.allCases {
            let session = Session(["completions", shell.rawValue])
            #expect(session.status == .done)
            #expect(session.output == shell.script)
            #expect(session.output.contains("runnerctl completions \(shell.rawValue) -- "))
        }
        let other = Session(["completions", "tcsh"])
        #expect(other.status == .usage)
        #expect(other.errors.contains("bash, zsh, fish"))
    }
}
