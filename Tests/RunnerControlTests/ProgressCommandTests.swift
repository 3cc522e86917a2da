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

    private static var since: String { "since \(DateText.brief(Session.now - 2_000, now: Session.now))" }

    private static func running(_ runs: String...) -> FakeDaemon.Answer {
        .result(#"{"runs":[\#(runs.joined(separator: ","))]}"#)
    }

    private static func event(_ sequence: Int, _ type: String, run: Int) -> String {
        #"{"subscription":1,"sequence":\#(sequence),"at":"2026-11-30T08:45:00.000Z","type":"\#(type)","#
            + #""app":"com.example","identifier":"com.example.\#(run)","#
            + #""data":{"run":{"run":\#(run),"identifier":"com.example.\#(run)","state":"succeeded","origin":"scheduled"}}}"#
    }

    private static let subscribed = FakeDaemon.Answer.result(#"{"subscription":1,"instance":"one","sequence":4}"#)

    @Test("each run has a line with its identifier, how far it is, and what it says that it does")
    func lists() {
        let daemon = FakeDaemon { call, _ in
            call.method == "running"
                ? Self.running(Self.run(1, "0.5", title: "Export"), Self.run(2, "0.25"), Self.unmoved) : .result("{}")
        }
        let session = Session(["progress"], daemon: daemon)
        #expect(session.status == .done, "\(session.errors)")
        #expect(
            session.console.lines.filter { !$0.isEmpty } == [
                "run 1 running [############------------]  50% com.example.1 Export: part",
                "run 2 running [######------------------]  25% com.example.2",
                "run 3 running for 2s                          com.example.3",
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
                "run 1 running [############------------]  50% com.example.1 A: part",
                "run 3 running \(Self.since) com.example.3",
                "run 1 running [##################------]  75% com.example.1 A: part",
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
        #expect(frames.last?.hasSuffix("run 3 running \(Self.since) com.example.3\n") == true)
    }

    private static func list(_ runs: String..., width: Int? = nil, height: Int? = nil) -> [String] {
        let daemon = FakeDaemon(result: #"{"runs":[\#(runs.joined(separator: ","))]}"#)
        let session = Session(["progress"], daemon: daemon, isTerminal: width != nil, width: width, height: height)
        return session.console.lines.filter { !$0.isEmpty }
    }

    private static func run(_ number: Int, named identifier: String, _ title: String, _ subtitle: String) -> String {
        #"{"run":\#(number),"identifier":"\#(identifier)","state":"running","#
            + #""startedAt":"2026-11-30T08:44:58.000Z","#
            + #""progress":{"fraction":0.5,"title":"\#(title)","subtitle":"\#(subtitle)"}}"#
    }

    @Test("on a terminal a line never wraps: the bar, the identifier and at last the words give way")
    func narrow() {
        let export = Self.run(1, named: "com.example.studio.export.holiday", "Export", "12 of 400 photos")
        #expect(
            Self.list(export, width: 100) == [
                "run 1 running [#########----------]  50% com.example.studio.export.holiday Export: 12 of 400 photos"
            ])
        #expect(
            Self.list(export, width: 80) == [
                "run 1 running [####----]  50% …e.studio.export.holiday Export: 12 of 400 photos"
            ])
        #expect(Self.list(export, width: 50) == ["run 1 running [####----]  50% ….holiday Export: …"])
        for width in 20...120 { #expect(Self.list(export, width: width).allSatisfy { $0.count < width }) }
        #expect(
            Self.list(export) == [
                "run 1 running [############------------]  50% com.example.studio.export.holiday "
                    + "Export: 12 of 400 photos"
            ])
    }

    @Test("a letter that takes two columns counts as two")
    func wideLetters() {
        let copy = Self.run(1, named: "com.example.copy", "写真を書き出しています写真を書き出しています", "")
        #expect(
            Self.list(copy, width: 60) == ["run 1 running [####----]  50% ….example.copy 写真を書き出…"])
    }

    @Test("a title that is the identifier is said once, as one that a simulated launch makes up is")
    func sameTitle() {
        let copy = Self.run(1, named: "com.example.copy", "com.example.copy", "")
        #expect(Self.list(copy) == ["run 1 running [############------------]  50% com.example.copy"])
    }

    @Test("lines of several runs are aligned")
    func aligned() {
        let runs = [Self.run(9, "0.5"), Self.run(10, "0.25")]
        #expect(
            Self.list(runs[0], runs[1]) == [
                "run 9 running  [############------------]  50% com.example.9",
                "run 10 running [######------------------]  25% com.example.10",
            ])
    }

    private static func follow(
        _ answers: @escaping @Sendable (Int) -> FakeDaemon.Answer, json: Bool = false, isTerminal: Bool = true,
        mostLines: Int, height: Int? = nil
    ) -> Session {
        let daemon = FakeDaemon { call, before in
            switch call.method {
            case "events.subscribe": subscribed
            case "running": answers(before)
            default: .result(#"{"instance":"one"}"#)
            }
        }
        return Session(
            ["progress", "--follow", json ? "--json" : "--no-color"], daemon: daemon, isTerminal: isTerminal,
            height: height, mostLines: mostLines)
    }

    @Test("the lines go with their daemon, and are drawn anew below what is said of that")
    func daemonGone() {
        let session = Self.follow(
            { number in
                number == 0
                    ? .events(Self.running(Self.run(1, "0.5")), [FakeDaemon.hangUp])
                    : Self.running(Self.run(2, "0.25"))
            }, mostLines: 2)
        let bars = session.output.components(separatedByEscape: "\r\u{1B}[1A\u{1B}[J")
        #expect(
            bars == [
                "run 1 running [############------------]  50% com.example.1\n",
                "run 2 running [######------------------]  25% com.example.2\n",
            ])
        #expect(session.errors.contains("The daemon has gone"))
    }

    @Test("a terminal that is followed says when nothing runs")
    func nothingToFollow() {
        let session = Self.follow(
            { number in
                number == 0
                    ? .events(Self.running(), [Self.event(5, "launched", run: 1)]) : Self.running(Self.run(1, "0.5"))
            }, mostLines: 2)
        #expect(
            session.output
                == "Nothing runs.\n\r\u{1B}[1A\u{1B}[Jrun 1 running [############------------]  50% com.example.1\n")
    }

    @Test("what does not fit into the window is counted")
    func tooMany() {
        let runs = (1...6).map { Self.run($0, "0.5") }.joined(separator: ",")
        let session = Self.follow({ _ in .result(#"{"runs":[\#(runs)]}"#) }, mostLines: 3, height: 4)
        #expect(session.console.lines.filter { !$0.isEmpty }.count == 3)
        #expect(session.output.hasSuffix("and 4 more runs\n"))
    }

    @Test("a run that is asked to end is told of in a log, also when it says nothing of its progress")
    func expiring() {
        let expiring = Self.unmoved.replacing("running", with: "expiring")
        let session = Self.follow(
            { number in
                number == 0
                    ? .events(Self.running(Self.unmoved), [Self.event(5, "expiring", run: 3)])
                    : Self.running(expiring)
            }, isTerminal: false, mostLines: 2)
        #expect(
            session.output
                == "run 3 running \(Self.since) com.example.3\nrun 3 expiring \(Self.since) com.example.3\n")
    }

    @Test("for programs what runs comes first, then what happens, and after a gap both again")
    func json() {
        let session = Self.follow(
            { number in
                number == 0
                    ? .events(Self.running(Self.unmoved), [Self.event(5, "progress", run: 1), FakeDaemon.hangUp])
                    : Self.running(Self.run(2, "0.25"))
            }, json: true, isTerminal: false, mostLines: 3)
        let lines = session.console.lines.filter { !$0.isEmpty }
        #expect(lines.count == 3)
        #expect(lines.first == #"{"runs":[\#(Self.unmoved)]}"#)
        #expect(lines.dropFirst().first?.contains(#""sequence":5"#) == true)
        #expect(lines.last == #"{"runs":[\#(Self.run(2, "0.25"))]}"#)
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
