import Testing

@testable import RunnerControl

/// `log --follow`: pages, then what comes.
@Suite("Following kept lines")
struct LogFollowTests {
    private static func line(_ text: String, _ stream: String = "stdout") -> String {
        #"{"at":"2026-11-30T08:45:00.000Z","stream":"\#(stream)","text":"\#(text)"}"#
    }

    private static func page(_ texts: [String], next: String? = nil, end: String) -> FakeDaemon.Answer {
        let next = next.map { #","next":"\#($0)""# } ?? ""
        return .result(#"{"lines":[\#(texts.map { line($0) }.joined(separator: ","))]\#(next),"end":"\#(end)"}"#)
    }

    private static func event(_ sequence: Int, _ members: String) -> String {
        #"{"subscription":1,"sequence":\#(sequence),"at":"2026-11-30T08:45:00.000Z",\#(members)}"#
    }

    private static func logged(_ sequence: Int, run: Int) -> String {
        event(sequence, #""type":"logged","app":"com.example.a","data":{"run":\#(run),"cursor":"\#(run).0"}"#)
    }

    private static let subscribed = FakeDaemon.Answer.result(#"{"subscription":1,"instance":"one","sequence":4}"#)

    private static func run(_ state: String) -> FakeDaemon.Answer {
        .result(#"{"run":{"run":12,"state":"\#(state)"}}"#)
    }

    /// Each with the members that follow the first one's time and stream.
    private func texts(_ session: Session) -> [String] {
        session.console.lines.dropLast().compactMap { $0.split(separator: " ").last.map { String($0) } }
    }

    @Test("of a run all pages are shown, then what comes, until it has ended and its last lines are shown")
    func ofRun() {
        let daemon = FakeDaemon { call, before in
            switch (call.method, before) {
            case ("events.subscribe", _): Self.subscribed
            case ("run", 0...1): Self.run("running")
            case ("run", _): Self.run("succeeded")
            case ("log", 0): Self.page(["a", "b"], next: "12.2", end: "12.2")
            case ("log", 1): .events(Self.page(["c"], end: "12.3"), [Self.logged(5, run: 12), Self.logged(6, run: 13)])
            case ("log", 2):
                .events(
                    Self.page(["d"], end: "12.4"),
                    [Self.event(7, #""type":"ended","app":"com.example.a","data":{"run":{"run":12}}"#)])
            case ("log", 3): Self.page(["e"], end: "12.5")
            default: .result("{}")
            }
        }
        let session = Session(["log", "--run", "12", "--follow"], daemon: daemon)
        #expect(session.status == .done, "\(session.errors)")
        #expect(texts(session) == ["a", "b", "c", "d", "e"])
        let methods = daemon.received.map(\.method)
        #expect(methods == ["events.subscribe", "run", "log", "log", "run", "log", "run", "log"])
        #expect(daemon.received[0].params == #"{"types":["logged","ended"]}"#)
        let pages = daemon.received.filter { $0.method == "log" }.map(\.params)
        #expect(pages[0] == #"{"run":12,"limit":1000}"#)
        #expect(pages.dropFirst().map { $0.suffix(7) } == [#""12.2"}"#, #""12.3"}"#, #""12.4"}"#])
    }

    @Test("of an app what comes is shown until nobody reads it; other apps' lines are no news")
    func ofApp() {
        let foreign = Self.event(5, #""type":"logged","app":"com.example.b","data":{"cursor":"0.9"}"#)
        let own = Self.event(6, #""type":"logged","app":"com.example.a","data":{"cursor":"0.10"}"#)
        let daemon = FakeDaemon { call, before in
            switch (call.method, before) {
            case ("events.subscribe", _): Self.subscribed
            case ("log", 0): .events(Self.page([], end: "0.0"), [foreign, own])
            case ("log", 1): Self.page(["a", "b"], end: "0.12")
            default: .result("{}")
            }
        }
        let session = Session(
            ["log", "--app", "com.example.a", "--follow", "--json"], daemon: daemon, mostLines: 2)
        #expect(session.status == .done)
        #expect(session.output == Self.line("a") + "\n" + Self.line("b") + "\n")
        #expect(daemon.received.map(\.method) == ["events.subscribe", "log", "log"])
        #expect(daemon.received[0].params == #"{"types":["logged"]}"#)
        #expect(daemon.received[2].params == #"{"app":"com.example.a","limit":1000,"after":"0.0"}"#)
    }

    @Test("after a restart of the daemon it goes on where it was, and sees that the run has ended")
    func restart() {
        let daemon = FakeDaemon { call, before in
            switch (call.method, before) {
            case ("hello", _): .result(#"{"instance":"two"}"#)
            case ("events.subscribe", _): Self.subscribed
            case ("run", 0): Self.run("running")
            case ("run", _): Self.run("interrupted")
            case ("log", 0): .events(Self.page(["a"], end: "12.1"), [FakeDaemon.hangUp])
            case ("log", _): Self.page(["b"], end: "12.2")
            default: .result("{}")
            }
        }
        let session = Session(["log", "--run", "12", "--follow"], daemon: daemon)
        #expect(session.status == .done, "\(session.errors)")
        #expect(texts(session) == ["a", "b"])
        #expect(session.errors.contains("The daemon is back."))
        let last = daemon.received.last { $0.method == "log" }
        #expect(last?.params == #"{"run":12,"limit":1000,"after":"12.1"}"#)
    }

    @Test("what the daemon refuses ends it with the reason")
    func refused() {
        let daemon = FakeDaemon { call, _ in
            call.method == "run" ? .error(16, "noSuchRun", "There is no run 12.") : Self.subscribed
        }
        let session = Session(["log", "--run", "12", "--follow"], daemon: daemon)
        #expect(session.status == .refused)
        #expect(session.errors.contains("There is no run 12."))
    }

    @Test("without a run or an app, and with a limit, it is a mistake, and no daemon is asked")
    func usage() {
        for words in [["--follow"], ["--run", "12", "--follow", "--limit", "3"], ["--run", "x", "--follow"]] {
            let session = Session(["log"] + words)
            #expect(session.status == .usage, "\(words): \(session.errors)")
            #expect(session.tried.isEmpty, "\(words)")
        }
    }
}
