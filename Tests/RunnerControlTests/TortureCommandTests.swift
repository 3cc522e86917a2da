import Testing

@testable import RunnerControl

/// `torture`, with a daemon whose task does as a test says.
@Suite("A task that is expired again and again")
struct TortureCommandTests {
    private static let task = "com.example.app.refresh"

    private static func ended(_ state: String, _ diagnostics: [String] = []) -> FakeDaemon.Answer {
        let list = diagnostics.map { #"{"name":"\#($0)"}"# }.joined(separator: ",")
        return .result(#"{"run":{"run":7,"state":"\#(state)","diagnostics":[\#(list)]}}"#)
    }

    /// - Parameters:
    ///   - handler: how the task is run.
    ///   - isOverAtOnce: whether a run has always ended before it could be expired.
    ///   - launches: how many launches there are before one is refused.
    ///   - expired: how a run ends that was expired.
    private static func daemon(
        handler: String = "process", isOverAtOnce: Bool = false, launches: Int = .max, rearms: Bool = false,
        first: FakeDaemon.Answer = ended("succeeded"), expired: FakeDaemon.Answer = ended("failed")
    ) -> FakeDaemon {
        FakeDaemon { call, before in
            switch call.method {
            case "registered":
                .result(#"{"identifiers":[{"identifier":"\#(task)","handler":"\#(handler)"}]}"#)
            case "simulateLaunch":
                before < launches
                    ? ended("running") : .error(10, "notRegistered", "No launch handler is registered for it.")
            // The first run is waited for once, the others before and after they are expired.
            case "wait" where before == 0: first
            case "wait" where !isOverAtOnce && before % 2 == 1: .error(24, "timedOut", "It goes on.")
            case "wait", "run": isOverAtOnce || before == 0 ? first : expired
            case "explain": .result(before == 0 && rearms ? #"{"pending":{}}"# : "{}")
            default: .result("{}")
            }
        }
    }

    private func torture(_ daemon: FakeDaemon, _ options: String...) -> Session {
        Session(["torture", Self.task, "--runs", "2"] + options, daemon: daemon)
    }

    @Test("a handler that completes when it is expired keeps all rules")
    func careful() {
        let session = torture(Self.daemon())
        #expect(session.status == .done, "\(session.errors)")
        #expect(session.output == "\(Self.task) was expired at 2 moments in 3 lives: no rule was broken.\n")
    }

    @Test("a run that is always over before it can be expired proves nothing, which is no success")
    func overAtOnce() {
        let session = torture(Self.daemon(isOverAtOnce: true))
        #expect(session.status == .unsuccessful)
        #expect(session.output.contains("expired at 0 moments in 3 lives: there was no moment to expire it at"))
        #expect(session.errors.contains("which proves nothing"))
        #expect(session.errors.contains("--or-over-at-once"))
        let json = torture(Self.daemon(isOverAtOnce: true), "--json")
        #expect(json.status == .unsuccessful)
        #expect(json.output.contains(#""expired":0,"#))
        #expect(json.errors.contains("which proves nothing"))
    }

    @Test("after a run that was over too early the next moment comes earlier, however long the first one took")
    func shortestRun() throws {
        // The first run takes as long as it may, and all others are over at once.
        let daemon = FakeDaemon { call, before in
            call.method == "wait" && before == 0 ? .error(24, "timedOut", "It goes on.") : Self.ended("succeeded")
        }
        let session = Session(["torture", Self.task, "--runs", "3", "--within", "2"], daemon: daemon)
        #expect(session.status == .done, "\(session.errors)")
        let timeouts = try daemon.received.filter { $0.method == "wait" }.map { call in
            try #require(Self.timeout(in: call.params))
        }
        // The first run is waited for until it is expired, and until it ends.
        #expect(timeouts.prefix(3) == [2, 60, 1.237])
        #expect(timeouts.dropFirst(3).allSatisfy { $0 < 0.5 }, "\(timeouts)")
    }

    private static func timeout(in params: String) -> Double? {
        params.split(separator: ":").last.flatMap { Double($0.dropLast()) }
    }

    @Test("unless that is as it should be")
    func orOverAtOnce() {
        let session = torture(Self.daemon(isOverAtOnce: true), "--or-over-at-once")
        #expect(session.status == .done)
        #expect(session.errors.isEmpty)
        #expect(torture(Self.daemon(expired: Self.ended("abandoned")), "--or-over-at-once").status == .unsuccessful)
    }

    @Test("a single life that nobody is to expire is not one that could not be expired")
    func onlyNever() {
        let session = Session(["torture", Self.task, "--only", "0:never"], daemon: Self.daemon())
        #expect(session.status == .done)
        #expect(session.output == "\(Self.task) was not expired in 1 life: no rule was broken.\n")
    }

    @Test("a single trial whose run is over before it can be expired proves nothing either")
    func onlyAfter() {
        let session = Session(
            ["torture", Self.task, "--only", "0:after:1500"], daemon: Self.daemon(isOverAtOnce: true))
        #expect(session.status == .unsuccessful)
        #expect(session.errors.contains("which proves nothing"))
    }

    @Test("what is printed to see a finding again goes to the same daemon, with the same time")
    func reproduction() {
        let path = "/tmp/a folder/control.sock"
        let daemon = Self.daemon(expired: Self.ended("abandoned"))
        let session = Session(
            ["torture", Self.task, "--runs", "1", "--within", "3", "--socket", path], daemon: daemon,
            listening: [path])
        #expect(session.status == .unsuccessful)
        let start = "see it again: runnerctl torture \(Self.task) --socket '\(path)' --within 3 --only 0:after:"
        #expect(session.output.contains(start), "\(session.output)")
        let json = Session(
            ["torture", Self.task, "--runs", "1", "--user", "--json"],
            daemon: Self.daemon(expired: Self.ended("abandoned")))
        #expect(
            json.output.contains(#""reproduction":"runnerctl torture \#(Self.task) --user --only 0:after:"#),
            "\(json.output)")
    }

    @Test("what was found is told although a later launch was refused")
    func refusedLater() {
        let session = torture(Self.daemon(launches: 2, expired: Self.ended("crashed")))
        #expect(session.status == .unsuccessful)
        #expect(session.output.contains("was expired at 1 moment in 2 lives:\ncrashed, in 1 of them: "))
        #expect(session.errors.contains("stopped after 2 lives: No launch handler is registered for it."))
        #expect(torture(Self.daemon(launches: 2)).status == .refused)
    }

    @Test("a command is told what a command can do")
    func commands() {
        let deaf = torture(Self.daemon(handler: "commands", expired: Self.ended("expired", ["graceEnded"])))
        #expect(deaf.output.contains("fix: Let the command end when it gets SIGTERM"), "\(deaf.output)")
        #expect(!deaf.output.contains("omplete the task"))
        let bottom = torture(Self.daemon(handler: "commands", rearms: true))
        #expect(bottom.output.contains("notRearmed"))
        #expect(bottom.output.contains("runnerctl submit"), "\(bottom.output)")
        let plugin = torture(Self.daemon(rearms: true))
        #expect(plugin.output.contains("fix: Submit the next request as the first thing that the handler does."))
    }

    @Test("a pattern is no identifier; it is said that one of those that it permits is meant")
    func patterns() {
        for command in ["torture", "simulate-launch", "explain", "submit"] {
            let session = Session([command, "com.example.app.export.*"], daemon: FakeDaemon(result: "{}"))
            #expect(session.status == .usage)
            #expect(session.errors.contains("permits many identifiers"), "\(session.errors)")
            #expect(session.errors.contains("com.example.app.export.one"))
        }
    }
}
