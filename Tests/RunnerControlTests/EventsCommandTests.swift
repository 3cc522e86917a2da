import Platform
import RPC
import Testing

@testable import RunnerControl

struct EventsCommandTests {
    private static let run =
        #"{"run":12,"state":"running","origin":"simulated","#
        + #""progress":{"fraction":0.45,"title":"Copy","subtitle":"part"}}"#

    private static func event(
        _ sequence: Int, _ type: String, _ data: String = "{}", subject: String = #""identifier":"com.example.a","#,
        subscription: Int = 1
    ) -> String {
        #"{"subscription":\#(subscription),"sequence":\#(sequence),"at":"2026-11-30T08:44:58.000Z","type":"\#(type)","#
            + #"\#(subject)"data":\#(data)}"#
    }

    private static func subscribed(_ sequence: Int, subscription: Int = 1, instance: String = "one")
        -> FakeDaemon.Answer
    {
        .result(#"{"subscription":\#(subscription),"instance":"\#(instance)","sequence":\#(sequence)}"#)
    }

    private static func since(_ instance: String, _ sequence: Int) -> String {
        #"{"since":{"instance":"\#(instance)","sequence":\#(sequence)}}"#
    }

    /// A daemon that has kept these events.
    private func daemon(_ events: [String]) -> FakeDaemon {
        FakeDaemon { call, _ in
            switch call.method {
            case "hello": .result(#"{"instance":"one"}"#)
            case "events.subscribe": .events(Self.subscribed(events.count), events)
            default: .result("{}")
            }
        }
    }

    @Test(
        "an event is one aligned line that says what happened",
        arguments: [
            ("submitted", #"{"outcome":"submitted","request":{}}"#, "as soon as it can"),
            (
                "submitted", #"{"outcome":"returned","request":{"requiresExternalPower":true}}"#,
                "returned, as soon as it can, needs power"
            ),
            ("cancelled", #"{"cause":"dropped","request":{}}"#, "dropped"),
            ("refused", #"{"message":"It is full."}"#, "It is full."),
            ("gateChanged", #"{"gate":"network","verdict":"closed"}"#, "network closed"),
            (
                "gateChanged", #"{"gate":"earliestBeginDate","verdict":"open","heldBy":"network"}"#,
                "earliestBeginDate open, held by network"
            ),
            ("launched", #"{"run":{"run":12,"state":"starting","origin":"scheduled"}}"#, "run 12 starting"),
            ("progress", #"{"run":\#(run)}"#, "run 12 running (simulated) 45% Copy: part"),
            ("logged", #"{"run":12,"cursor":"12.0"}"#, "run 12"),
            (
                "expiring", #"{"run":{"run":12,"state":"expiring","expirationReason":"budget"}}"#,
                "run 12 expiring: budget"
            ),
            ("ended", #"{"run":{"run":12,"state":"failed","message":"exit status 3"}}"#, "run 12 failed exit status 3"),
            (
                "diagnostic", #"{"severity":"error","name":"overran","message":"It goes on."}"#,
                "error overran: It goes on."
            ),
            ("later", #"{"a":1}"#, #"{"a":1}"#),
        ])
    func lines(type: String, data: String, details: String) {
        let session = Session(["events"], daemon: daemon([Self.event(1, type, data)]), variables: ["TZ": "UTC"])
        #expect(session.status == .done)
        let blanks = String(repeating: " ", count: 17 - type.count)
        let line = session.console.lines.first ?? ""
        #expect(line.hasSuffix("  \(type)\(blanks)com.example.a                     \(details)"), "\(line)")
    }

    @Test(
        "an event of an app, the device or the runner says so",
        arguments: [
            ("logged", #""app":"com.example","#, #"{"cursor":"0.9"}"#, "com.example", "outside of its runs"),
            ("appStateChanged", #""app":"com.example","#, #"{"state":"paused"}"#, "com.example", "paused"),
            (
                "deviceChanged", "", #"{"condition":"network","value":"none","source":"kernel"}"#, "",
                "network none, says kernel"
            ),
            (
                "deviceChanged", "", #"{"condition":"idle","value":null,"source":"x (lost)"}"#, "",
                "idle unknown, says x (lost)"
            ),
            ("phaseChanged", "", #"{"phase":"draining"}"#, "", "draining"),
        ])
    func otherLines(type: String, subject: String, data: String, name: String, details: String) {
        let session = Session(["events"], daemon: daemon([Self.event(1, type, data, subject: subject)]))
        let line = session.console.lines.first ?? ""
        #expect(line.contains("  \(type) ") && line.contains(name) && line.hasSuffix("  \(details)"), "\(line)")
    }

    @Test("what is kept is shown, and the stream ends; the filters go to the daemon")
    func kept() {
        let daemon = daemon([Self.event(1, "phaseChanged"), Self.event(2, "phaseChanged")])
        let session = Session(
            ["events", "--json", "--type", "gate-changed", "--type", "ended", "--identifier", "com.example.a"],
            daemon: daemon)
        #expect(session.status == .done)
        #expect(session.output == Self.event(1, "phaseChanged") + "\n" + Self.event(2, "phaseChanged") + "\n")
        #expect(daemon.received.map(\.method) == ["hello", "events.subscribe", "events.unsubscribe"])
        #expect(
            daemon.received[1].params
                == #"{"types":["gateChanged","ended"],"identifiers":["com.example.a"],"since":{"instance":"one","sequence":0}}"#
        )
    }

    @Test("a daemon that has forgotten its first events is asked for those that it has")
    func forgotten() {
        let daemon = FakeDaemon { call, before in
            switch (call.method, before) {
            case ("hello", _): .result(#"{"instance":"one"}"#)
            case ("events.subscribe", 0):
                .refusal(24, "resyncRequired", "Gone.", #"{"instance":"one","sequence":9000,"oldest":4904}"#)
            case ("events.subscribe", _): .events(Self.subscribed(9_000), [Self.event(4_905, "phaseChanged")])
            default: .result("{}")
            }
        }
        let session = Session(["events", "--json"], daemon: daemon)
        #expect(session.status == .done)
        #expect(session.console.lines.count == 2)
        #expect(daemon.received[2].params == Self.since("one", 4_904))
    }

    @Test("an unknown type is a mistake, and no daemon is asked")
    func unknownType() {
        let session = Session(["events", "--type", "lanched"])
        #expect(session.status == .usage)
        #expect(session.errors.contains("launched"))
        #expect(session.tried.isEmpty)
    }

    @Test("types may be given one by one, or with commas between them, under either name")
    func typeLists() {
        for line in [["--type", "gate-changed,ended"], ["--types=gateChanged", "--type", "ended"]] {
            let daemon = daemon([])
            #expect(Session(["events"] + line, daemon: daemon).status == .done)
            let subscription = daemon.received.first { $0.method == "events.subscribe" }
            #expect(subscription?.params.contains(#""types":["gateChanged","ended"]"#) == true, "\(line)")
        }
        for word in ["ended,", ",", "ended,lanched", ""] {
            #expect(Session(["events", "--type", word]).status == .usage, "\(word)")
        }
        #expect(Session(["help", "events"]).output.contains("--types TYPE[,TYPE]..."))
        #expect(Session(["events", "--identifier", "??"]).errors.contains("--identifier must be an identifier"))
    }

    @Test("a subscription is no command, since it would end with it; call says so, too")
    func subscriptions() {
        for word in ["subscribe", "unsubscribe"] {
            let session = Session(["events", word])
            #expect(session.status == .usage)
            #expect(session.errors.contains("Did you mean “runnerctl events --follow”?"), "\(session.errors)")
            #expect(!Session(["--help"]).output.contains("events \(word)"))
            #expect(Session(["help", "events.\(word)"]).output.hasPrefix("METHOD\n    events.\(word), for callers"))
            let call = Session(["call", "events.\(word)"], daemon: daemon([]))
            #expect(call.status == .done)
            #expect(call.errors.contains("runnerctl events --follow"))
        }
        #expect(Session(["call", "status"], daemon: daemon([])).errors.isEmpty)
    }

    @Test("without a daemon there is nothing to follow")
    func noDaemon() {
        #expect(Session(["events", "--follow"]).status == .noDaemon)
    }

    @Test("after a restart the stream goes on, with a line that says that there is a gap", arguments: [false, true])
    func restart(isJSON: Bool) {
        // Each life of the daemon hangs up after what it was asked third.
        let daemon = FakeDaemon { call, before in
            switch (call.method, before) {
            case ("hello", 0), ("hello", 1): .result(#"{"instance":"one"}"#)
            case ("hello", _): .result(#"{"instance":"two"}"#)
            case ("events.subscribe", 0):
                .events(
                    .result(#"{"subscription":1,"instance":"one","sequence":1}"#),
                    [Self.event(1, "phaseChanged"), "hang up"])
            case ("events.subscribe", 1):
                .events(
                    .result(#"{"subscription":1,"instance":"one","sequence":2}"#),
                    [Self.event(2, "phaseChanged"), "hang up"])
            default:
                .events(.result(#"{"subscription":1,"instance":"two","sequence":1}"#), [Self.event(1, "phaseChanged")])
            }
        }
        let session = Session(
            ["events", "--follow"] + (isJSON ? ["--json"] : []), daemon: daemon, mostLines: 4)
        #expect(session.status == .done)
        let lines = session.console.lines
        #expect(lines.count == 5)
        let gap = #"{"type":"gap","reason":"restarted"}"#
        #expect(lines[2] == (isJSON ? gap : "--- the daemon was restarted; events may be missing here ---"))
        let subscriptions = daemon.received.filter { $0.method == "events.subscribe" }.map(\.params)
        #expect(subscriptions == [Self.since("one", 0), Self.since("one", 1), Self.since("two", 0)])
        let pair = "runnerctl: The daemon has gone; this waits until it is back.\nrunnerctl: The daemon is back.\n"
        #expect(session.errors == pair + pair, "each time once, where no program reads")
    }

    @Test("a subscription that overflows is made again where it ended")
    func overflow() {
        let daemon = FakeDaemon { call, before in
            switch (call.method, before) {
            case ("hello", _): .result(#"{"instance":"one"}"#)
            case ("events.subscribe", 0):
                .events(Self.subscribed(3), [Self.event(3, "phaseChanged"), Self.event(7, "overflow")])
            case ("events.subscribe", 1):
                .events(Self.subscribed(8, subscription: 2), [Self.event(8, "phaseChanged", subscription: 2)])
            default: .result("{}")
            }
        }
        let session = Session(["events", "--follow", "--json"], daemon: daemon, mostLines: 2)
        #expect(session.console.lines.count == 3)
        #expect(daemon.received.filter { $0.method == "events.subscribe" }.last?.params == Self.since("one", 7))
    }
}
