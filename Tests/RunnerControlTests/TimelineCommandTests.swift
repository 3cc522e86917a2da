import RPC
import Testing

@testable import RunnerControl

private typealias Fixture = TimelineFixture

/// `timeline`, at a quarter to nine UTC of the fixture's day.
@Suite("The timeline of a daemon")
struct TimelineCommandTests {
    /// A daemon with two pages of runs and changes, and a request that waits.
    private static func daemon(_ more: @escaping @Sendable (FakeDaemon.Call) -> FakeDaemon.Answer? = { _ in nil })
        -> FakeDaemon
    {
        FakeDaemon { call, before in
            if let answer = more(call) { return answer }
            switch (call.method, before) {
            case ("status", _): return .result(Fixture.status())
            case ("device", _):
                return .result(#"{"state":{"idle":{"value":true,"source":"logind","overridden":false}}}"#)
            case ("pending", 0):
                return .result(#"{"requests":[\#(Fixture.request(9, asked: Fixture.at(7)))],"next":"p"}"#)
            case ("pending", _): return .result(#"{"requests":[]}"#)
            case ("history", 0):
                return .result(
                    #"{"runs":[\#(Fixture.run(8, asked: Fixture.at(5), started: Fixture.at(6), ended: Fixture.at(6)))],"#
                        + #""next":"8"}"#)
            case ("history", 1):
                let old = "2026-11-28T10:00:00.000Z"
                return .result(
                    #"{"runs":[\#(Fixture.run(3, "old", asked: old, started: old, ended: old))],"next":"3"}"#)
            case ("running", _):
                let begun = Fixture.run(
                    2, "endless", asked: "2026-11-27T10:00:00.000Z", started: "2026-11-27T10:00:00.000Z", ended: nil,
                    state: "running")
                return .result(#"{"runs":[\#(begun)]}"#)
            case ("explain", _):
                return .result(
                    #"{"pending":{"submission":9},"gates":[{"gate":"externalPower","verdict":"closed","#
                        + #""since":"\#(Fixture.at(8))","detail":"No power."}]}"#)
            case ("device.history", 0):
                let changes = [
                    Fixture.change(Fixture.at(4), "lowPowerMode", "true"),
                    Fixture.change("2026-11-29T02:00:00.000Z", "lowPowerMode", "false"),
                ]
                return .result(#"{"changes":[\#(changes.joined(separator: ","))],"next":"40"}"#)
            case ("device.history", _):
                guard call.params.contains("network") else { return .result(#"{"changes":[]}"#) }
                return .result(
                    #"{"changes":[\#(Fixture.change("2026-11-02T02:00:00.000Z", "network", #""metered""#))],"next":"7"}"#
                )
            default: return .error(-32_601, "methodNotFound", "There is no method \(call.method).")
            }
        }
    }

    @Test("the last 24 hours are drawn for the terminal, without colours where nobody looks")
    func terminal() {
        let session = Session(["timeline"], daemon: Self.daemon())
        #expect(session.status == .done, "\(session.errors)")
        for text in [
            "Timeline", "from the history of Runner 0.1.0", "This device", "prompt", "com.example.app.refresh",
            "com.example.app.export", "com.example.app.endless", "Low Power Mode", "metered network", "device idle",
        ] {
            #expect(session.output.contains(text), "\(text) is not in\n\(session.output)")
        }
        #expect(!session.output.contains("com.example.app.old"))
        #expect(!session.output.contains("\u{1B}"))
        #expect(session.output.utf8.allSatisfy { $0 < 0x80 }, "the locale says nothing of more than ASCII")
        #expect(session.console.lines.allSatisfy { $0.count <= 100 })
    }

    @Test("it is as wide as the terminal or as --width says, and has colours there unless they are unwanted")
    func width() {
        let terminal = Session(
            ["timeline"], daemon: Self.daemon(), variables: ["LANG": "en_US.UTF-8"], isTerminal: true, width: 72)
        #expect(terminal.output.contains("\u{1B}["))
        #expect(terminal.output.utf8.contains { $0 >= 0x80 })
        let plain = Session(
            ["timeline", "--no-color"], daemon: Self.daemon(), isTerminal: true, width: 72)
        #expect(!plain.output.contains("\u{1B}"))
        let widths = plain.console.lines.map(\.count)
        #expect((60...72).contains(widths.max() ?? 0))
        let wide = Session(["timeline", "--width", "150"], daemon: Self.daemon())
        #expect((101...150).contains(wide.console.lines.map(\.count).max() ?? 0))
    }

    @Test("lists are read to their end, history no further than it reaches, and each condition back to its last change")
    func pages() {
        let daemon = Self.daemon()
        _ = Session(["timeline", "--app", "com.example.app", "--identifier", "com.example.app.export"], daemon: daemon)
        let calls = daemon.received.map { "\($0.method) \($0.params)" }
        let export = #""identifier":"com.example.app.export""#
        #expect(calls.contains(#"pending {\#(export),"app":"com.example.app","limit":1000}"#))
        #expect(calls.contains(#"pending {\#(export),"app":"com.example.app","limit":1000,"after":"p"}"#))
        #expect(calls.filter { $0.hasPrefix("history") }.count == 2)
        #expect(calls.contains(#"history {\#(export),"limit":1000,"before":"8"}"#))
        #expect(calls.contains(#"explain {\#(export)}"#))
        let changes = calls.filter { $0.hasPrefix("device.history") }
        #expect(changes.first == #"device.history {"limit":1000}"#)
        #expect(changes.contains(#"device.history {"condition":"network","limit":1,"before":"40"}"#))
        #expect(!changes.contains { $0.contains("lowPowerMode") }, "what it was before the span is known")
        #expect(changes.count == 8)
    }

    @Test("a request that began to run while the lists were read is its run, and not both")
    func races() throws {
        let daemon = Self.daemon { call in
            guard call.method == "history" else { return nil }
            let run = Fixture.run(
                9, "export", asked: Fixture.at(7), started: Fixture.at(8), ended: nil, state: "running")
            return .result(#"{"runs":[\#(run)]}"#)
        }
        let session = Session(["timeline", "--json"], daemon: daemon)
        let result = try Fixture.json(session.output)
        #expect(result.elements("pending").isEmpty)
        #expect(result.elements("runs").map { $0["run"]?.integer } == [9, 2])
        #expect(!daemon.received.contains { $0.method == "explain" })
    }

    @Test("a request that is gone when it should be explained is drawn without a reason; other refusals are told")
    func refusals() {
        let gone = Self.daemon { call in
            call.method == "explain" ? .error(5, "noPendingRequest", "Nothing is pending.") : nil
        }
        #expect(Session(["timeline"], daemon: gone).status == .done)
        let old = Self.daemon { call in
            call.method == "device.history" ? .error(-32_601, "methodNotFound", "There is no such method.") : nil
        }
        let session = Session(["timeline"], daemon: old)
        #expect(session.status == .refused)
        #expect(session.errors == "runnerctl: There is no such method.\n")
        #expect(session.output == "")
        #expect(Session(["timeline"]).status == .noDaemon)
    }

    @Test("of a task that is not known it says what explain says, and of one that has nothing to do it draws nothing")
    func unknownTask() throws {
        func session(_ status: String, _ arguments: String...) -> Session {
            let daemon = Self.daemon { call in
                switch call.method {
                case "pending": .result(#"{"requests":[]}"#)
                case "history", "running": .result(#"{"runs":[]}"#)
                case "explain": .result(#"{"identifier":"nope","status":"\#(status)","summary":"No nope."}"#)
                default: nil
                }
            }
            return Session(["timeline", "--identifier", "nope"] + arguments, daemon: daemon)
        }
        for status in ["notPermitted", "notRegistered"] {
            #expect(session(status).output == "No nope.\n")
            #expect(session(status).status == .done)
        }
        #expect(session("idle").output.contains("Timeline of nope"))
        let json = try Fixture.json(session("notPermitted", "--json").output)
        #expect(json.elements("explanations").map { $0["summary"]?.string } == ["No nope."])
    }

    @Test("a terminal that is said to be dumb gets no colours")
    func dumb() {
        let session = Session(["timeline"], daemon: Self.daemon(), variables: ["TERM": "dumb"], isTerminal: true)
        #expect(session.status == .done)
        #expect(!session.output.contains("\u{1B}"))
    }

    @Test("--json prints what the daemon answered, in one line")
    func json() throws {
        let session = Session(["timeline", "--json", "--since", "2026-11-30T00:00:00Z"], daemon: Self.daemon())
        #expect(session.status == .done)
        #expect(session.console.lines.count == 2)
        let result = try Fixture.json(session.output)
        #expect(result["since"]?.string == "2026-11-30T00:00:00.000Z")
        #expect(result["until"]?.string == "2026-11-30T08:45:00.000Z")
        #expect(result["status"]?["policy"]?.string == "prompt")
        #expect(result["conditions"]?["idle"]?["value"]?.bool == true)
        #expect(result.elements("runs").map { $0["run"]?.integer } == [8, 2])
        #expect(result.elements("pending").map { $0["submission"]?.integer } == [9])
        #expect(result.elements("explanations").count == 1)
        #expect(result.elements("changes").count == 3)
        #expect(result["complete"]?.bool == true)
    }

    @Test("the picture and the page are written as well, and what cannot be written is said")
    func files() throws {
        let folder = try ScenarioFolder()
        let session = Session(
            ["timeline", "--svg", "\(folder.path)/day.svg", "--html", "\(folder.path)/day.html"],
            daemon: Self.daemon())
        #expect(session.status == .done)
        #expect(session.output.contains("com.example.app.refresh"))
        #expect(try folder.text("day.svg").contains("com.example.app.refresh"))
        #expect(try folder.text("day.html").contains("<html"))
        let failed = Session(["timeline", "--svg", "\(folder.path)/no/day.svg"], daemon: Self.daemon())
        #expect(failed.status == .unsuccessful)
        #expect(failed.errors.hasSuffix("day.svg could not be written: No such file or directory.\n"))
        #expect(failed.output == "")
    }

    @Test(
        "a command line without sense needs no daemon to be refused",
        arguments: [
            (["--since", "soon"], "--since must be a date such as 6h (ago), 18:00, "),
            (["--until", "soon"], "--until must be a date such as 6h (ago), 18:00, "),
            (["--since", "1h", "--until", "2h"], "--since must be before --until, which is now by default."),
            (["--since", "+1h"], "--since must be before --until, which is now by default."),
            (["--since", "1000-01-01"], "A timeline has 4000 days at most."),
            (["--width", "59"], "--width must be a whole number from 60 to 400, not “59”."),
            (["--width", "401"], "--width must be a whole number from 60 to 400, not “401”."),
            (["--identifier", "??"], "identifier"), (["--app", "??"], "--app must be an app's identifier"),
        ])
    func misuse(arguments: [String], message: String) {
        let session = Session(["timeline"] + arguments, daemon: Self.daemon())
        #expect(session.status == .usage)
        #expect(session.errors.contains(message), "\(session.errors)")
        #expect(session.output == "")
        #expect(session.tried == [])
    }

    @Test("a span of less than a minute is the last minute of it")
    func short() throws {
        let session = Session(["timeline", "--json", "--since", "5s"], daemon: Self.daemon())
        let result = try Fixture.json(session.output)
        #expect(result["since"]?.string == "2026-11-30T08:44:00.000Z")
        #expect(result["until"]?.string == "2026-11-30T08:45:00.000Z")
    }

    @Test("an end ahead leaves room for what is still to come")
    func ahead() throws {
        let session = Session(["timeline", "--json", "--since", "now", "--until", "+6h"], daemon: Self.daemon())
        #expect(session.status == .done, "\(session.errors)")
        #expect(try Fixture.json(session.output)["until"]?.string == "2026-11-30T14:45:00.000Z")
    }
}
