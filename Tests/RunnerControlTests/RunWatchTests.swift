import Testing

@testable import RunnerControl

struct RunWatchTests {
    private static func run(_ state: String, _ more: String = "") -> String {
        #"{"run":{"run":12,"identifier":"a","kind":"processing","origin":"simulated","state":"\#(state)","#
            + #""startedAt":"2026-11-30T08:44:58.000Z"\#(more)}}"#
    }

    private static func progress(_ fraction: Double) -> String {
        run("running", #","progress":{"fraction":\#(fraction),"title":"Copy","subtitle":"part"}"#)
    }

    /// Goes on for some looks, and then ends.
    private func daemon(looks: Int, ending state: String) -> FakeDaemon {
        FakeDaemon { call, before in
            switch call.method {
            case "wait": .held
            case "run" where before + 1 == looks:
                .releasing(
                    Self.run(state, #","endedAt":"2026-11-30T08:45:00.000Z""#), .result(Self.progress(1)))
            case "run": .result(Self.progress(Double(before) / Double(looks)))
            default: .result(Self.run("running"))
            }
        }
    }

    @Test("progress is shown while a run goes on, and then how it ended")
    func waiting() {
        let daemon = daemon(looks: 3, ending: "succeeded")
        let session = Session(["simulate-launch", "a", "--wait"], daemon: daemon)
        #expect(session.status == .done)
        #expect(
            session.console.lines.prefix(3) == [
                "run 12 running [------------------------]   0% Copy: part",
                "run 12 running [########----------------]  33% Copy: part",
                "Run 12 of a succeeded after 2s (simulated).",
            ])
        #expect(daemon.received.prefix(3).map(\.method) == ["simulateLaunch", "wait", "run"])
        #expect(daemon.received.first?.params == #"{"identifier":"a"}"#)
    }

    @Test("on a terminal one line is drawn again and again, and cleared at the end")
    func terminal() {
        let session = Session(
            ["simulate-launch", "a", "--no-color"], daemon: daemon(looks: 2, ending: "succeeded"), isTerminal: true)
        #expect(session.status == .done)
        #expect(session.output.hasPrefix("\r\u{1B}[Krun 12 running ["))
        #expect(session.output.hasSuffix("\r\u{1B}[KRun 12 of a succeeded after 2s (simulated).\n"))
    }

    @Test("a run that did not succeed is the status 1", arguments: ["failed", "expired", "crashed", "cancelled"])
    func unsuccessful(state: String) {
        for arguments in [
            ["simulate-launch", "a", "--wait"], ["simulate-expiration", "a", "--wait"], ["stop", "a", "--wait"],
            ["wait", "12"],
        ] {
            #expect(Session(arguments, daemon: daemon(looks: 1, ending: state)).status == .unsuccessful)
        }
    }

    @Test("--wait and --no-wait exclude each other, and nothing is launched")
    func bothWaits() {
        let daemon = FakeDaemon(result: "{}")
        let session = Session(["simulate-launch", "a", "--wait", "--no-wait"], daemon: daemon)
        #expect(session.status == .usage)
        #expect(session.errors.contains("--wait and --no-wait exclude each other"))
        #expect(daemon.received.isEmpty)
    }

    @Test("without a terminal, or with --no-wait, a launch answers at once")
    func notWaiting() {
        for (arguments, isTerminal) in [
            (["simulate-launch", "a"], false), (["simulate-launch", "a", "--no-wait"], true),
        ] {
            let daemon = FakeDaemon(result: Self.run("running"))
            let session = Session(arguments + ["--no-color"], daemon: daemon, isTerminal: isTerminal)
            #expect(session.status == .done)
            #expect(daemon.received.map(\.method) == ["simulateLaunch"])
            #expect(
                session.output == "Run 12 of a is running for 2s (simulated); follow it with runnerctl wait 12.\n")
        }
    }

    @Test("with --json the daemon waits, and its result comes as it is")
    func json() {
        let ended = Self.run("failed")
        let daemon = FakeDaemon(result: ended)
        let session = Session(["simulate-launch", "a", "--wait", "--timeout", "30s", "--json"], daemon: daemon)
        #expect(session.status == .unsuccessful)
        #expect(session.output == ended + "\n")
        #expect(daemon.received.map(\.params) == [#"{"identifier":"a","wait":true,"timeoutSeconds":30}"#])
    }

    @Test("a time that is over is the status 5, with the daemon's sentence")
    func timedOut() {
        let daemon = FakeDaemon { call, _ in
            switch call.method {
            case "wait": .error(24, "timedOut", "Run 12 has not ended in that time.")
            default: .result(Self.run("running"))
            }
        }
        let session = Session(["wait", "12", "--timeout", "1s"], daemon: daemon)
        #expect(session.status == .timedOut)
        #expect(session.errors == "runnerctl: Run 12 has not ended in that time.\n")
        #expect(daemon.received.first?.params.hasPrefix(#"{"run":12,"timeoutSeconds":"#) == true)
    }

    @Test("a run that cannot be looked at is still waited for")
    func failedLooks() {
        let daemon = FakeDaemon { call, before in
            switch call.method {
            case "wait": .held
            case "run" where before == 1:
                .releasing(Self.run("succeeded"), .error(-32_603, "internalError", "Oh."))
            default: .error(-32_603, "internalError", "Oh.")
            }
        }
        #expect(Session(["wait", "12"], daemon: daemon).status == .done)
    }

    @Test("a long line of progress does not wrap on a terminal, and is whole elsewhere", arguments: [true, false])
    func longLine(isTerminal: Bool) {
        let long = String(repeating: "x", count: 200)
        let daemon = FakeDaemon { call, before in
            switch call.method {
            case "wait": .held
            case "run" where before == 1: .releasing(Self.run("succeeded"), .result(Self.run("running")))
            default:
                .result(Self.run("running", #","progress":{"fraction":0.5,"title":"\#(long)","subtitle":""}"#))
            }
        }
        let session = Session(["wait", "12", "--no-color"], daemon: daemon, isTerminal: isTerminal, width: 60)
        let line = session.output.split { $0 == "\n" || $0 == "\r" }.first?.replacing("\u{1B}[K", with: "")
        #expect(isTerminal ? line?.count == 59 : line?.hasSuffix(long) == true)
    }
}
