import Testing

@testable import RunnerControl

/// `progress`: one line for each run.
@Suite("The progress of everything that runs")
struct ProgressCommandTests {
    private static func run(_ number: Int, _ fraction: String, title: String? = nil) -> String {
        let title = title.map { #","title":"\#($0)","subtitle":"part"}"# } ?? "}"
        return #"{"run":\#(number),"identifier":"com.example.\#(number)","state":"running","#
            + #""startedAt":"2026-11-30T08:44:58.000Z","progress":{"fraction":\#(fraction)\#(title)}"#
    }

    private static let unmoved =
        #"{"run":3,"identifier":"com.example.3","state":"running","startedAt":"2026-11-30T08:44:58.000Z"}"#

    private static func running(_ runs: String...) -> FakeDaemon.Answer {
        .result(#"{"runs":[\#(runs.joined(separator: ","))]}"#)
    }

    private static func event(_ sequence: Int, _ type: String, run: Int) -> String {
        #"{"subscription":1,"sequence":\#(sequence),"at":"2026-11-30T08:45:00.000Z","type":"\#(type)","#
            + #""app":"com.example","identifier":"com.example.\#(run)","#
            + #""data":{"run":{"run":\#(run),"identifier":"com.example.\#(run)","state":"succeeded","origin":"scheduled"}}}"#
    }

    private static let subscribed = FakeDaemon.Answer.result(#"{"subscription":1,"instance":"one","sequence":4}"#)

    @Test("each run has a line, by its title or else by its identifier")
    func lists() {
        let daemon = FakeDaemon { call, _ in
            call.method == "running"
                ? Self.running(Self.run(1, "0.5", title: "Export"), Self.run(2, "0.25"), Self.unmoved) : .result("{}")
        }
        let session = Session(["progress"], daemon: daemon)
        #expect(session.status == .done, "\(session.errors)")
        #expect(
            session.console.lines.filter { !$0.isEmpty } == [
                "run 1 running [############------------]  50% Export: part",
                "run 2 running [######------------------]  25% com.example.2",
                "run 3 running for 2s com.example.3",
            ])
    }

    @Test("nothing is said to be running when nothing is; --json gives what the daemon said")
    func empty() {
        #expect(Session(["progress"], daemon: FakeDaemon(result: #"{"runs":[]}"#)).output == "Nothing runs.\n")
        let session = Session(["progress", "--json"], daemon: FakeDaemon(result: #"{"runs":[]}"#))
        #expect(session.output == "{\"runs\":[]}\n")
    }

    private static func daemon() -> FakeDaemon {
        FakeDaemon { call, before in
            switch (call.method, before) {
            case ("events.subscribe", _): subscribed
            case ("running", 0):
                .events(running(run(1, "0.5", title: "A"), unmoved), [event(5, "progress", run: 1)])
            case ("running", 1):
                .events(running(run(1, "0.75", title: "A"), unmoved), [event(6, "ended", run: 1)])
            case ("running", _): .events(running(unmoved), [FakeDaemon.hangUp])
            default: .result("{}")
            }
        }
    }

    @Test("followed without a terminal, a line is written when it says something new, and the end of each run")
    func followsInALog() {
        let session = Session(["progress", "--follow"], daemon: Self.daemon(), mostLines: 4)
        let lines = session.console.lines.filter { !$0.isEmpty }
        #expect(
            lines.prefix(3) == [
                "run 1 running [############------------]  50% A: part", "run 3 running for 2s com.example.3",
                "run 1 running [##################------]  75% A: part",
            ])
        #expect(lines.count == 4)
        #expect(lines.last?.contains("succeeded") == true)
    }

    @Test("followed on a terminal, the lines of all runs are drawn over, and the end of a run stays")
    func followsOnATerminal() {
        let session = Session(
            ["progress", "--follow", "--no-color"], daemon: Self.daemon(), isTerminal: true, mostLines: 6)
        let frames = session.output.components(separatedByEscape: "\r\u{1B}[2A\u{1B}[J")
        #expect(frames.count == 3)
        #expect(frames[0].hasPrefix("run 1 running [############------------]"))
        #expect(frames[1].hasPrefix("run 1 running [##################------]"))
        #expect(frames.last?.contains("succeeded") == true)
        #expect(frames.last?.hasSuffix("run 3 running for 2s com.example.3\n") == true)
    }
}

extension String {
    fileprivate func components(separatedByEscape escape: String) -> [String] {
        var (parts, rest) = ([String](), self[...])
        while let place = rest.firstRange(of: escape) {
            parts.append(String(rest[..<place.lowerBound]))
            rest = rest[place.upperBound...]
        }
        return parts + [String(rest)]
    }
}
