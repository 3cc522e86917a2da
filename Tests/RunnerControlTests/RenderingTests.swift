import RPC
import Testing

@testable import RunnerControl

struct RenderingTests {
    private func output(_ arguments: [String], _ result: String) -> String {
        let session = Session(arguments, daemon: FakeDaemon(result: result))
        #expect(session.status == .done, "\(session.errors)")
        return session.output
    }

    @Test("a table is aligned, numbers to the right, and columns without anything are left out")
    func pending() {
        let text = output(
            ["pending"],
            """
            {"requests":[
             {"identifier":"com.example.refresh","kind":"appRefresh","requiresNetworkConnectivity":true,
              "requiresExternalPower":true,"app":"com.example","submission":1,
              "attempts":0},
             {"identifier":"com.example.a","kind":"processing","requiresNetworkConnectivity":false,
              "requiresExternalPower":false,"app":"com.example","submission":2,
              "attempts":2}],"next":"17"}
            """)
        #expect(
            text == """
                IDENTIFIER           KIND        NEEDS           ATTEMPTS  APP
                com.example.refresh  appRefresh  network, power            com.example
                com.example.a        processing                         2  com.example
                There is more: add --after 17.

                """)
    }

    @Test("an empty list is a sentence")
    func empty() {
        #expect(output(["pending"], #"{"requests":[]}"#) == "Nothing is pending.\n")
        #expect(output(["running"], #"{"runs":[]}"#) == "Nothing runs.\n")
        #expect(output(["history"], #"{"runs":[]}"#) == "There are no such runs.\n")
        #expect(output(["doctor"], #"{"findings":[]}"#) == "Nothing is wrong.\n")
        #expect(output(["log", "--run", "1"], #"{"lines":[]}"#) == "Nothing was written.\n")
    }

    @Test("explain says the sentence first, and then each gate with the time when it opens")
    func explain() throws {
        let text = output(
            ["explain", "a"],
            """
            {"identifier":"a","status":"waiting","summary":"a waits at the gate earliestBeginDate.","gates":[
             {"gate":"earliestBeginDate","verdict":"closed","since":"2026-11-30T08:40:00.000Z",
              "opensAt":"2026-11-30T09:00:00.000Z","detail":"it is too early"},
             {"gate":"network","verdict":"open","source":"netlink","detail":"there is a network"}],
             "pending":{"identifier":"a","kind":"appRefresh","earliestBeginDate":"2026-11-30T09:00:00.000Z",
              "requiresNetworkConnectivity":true},
             "lastRun":{"run":3,"identifier":"a","state":"failed","startedAt":"2026-11-30T08:00:00.000Z",
              "endedAt":"2026-11-30T08:00:01.500Z","exit":{"code":2},"message":"exit status 2"},
             "diagnostics":[{"severity":"warning","name":"postponed","message":"Again.","fix":"Do not."}]}
            """)
        let lines = text.split(separator: "\n").map { String($0) }
        try #require(lines.count == 8)
        #expect(lines[0] == "a waits at the gate earliestBeginDate.")
        #expect(lines[1].hasPrefix("GATE               VERDICT  SINCE"))
        #expect(lines[2].hasPrefix("earliestBeginDate  closed   "))
        #expect(lines[2].contains("\(DateText.local(Session.now + 900_000)) (in 15m)"))
        #expect(lines[2].hasSuffix("  it is too early"))
        #expect(lines[3].hasPrefix("network            open     "))
        #expect(lines[3].hasSuffix("  netlink  there is a network"))
        #expect(lines[4].hasPrefix("pending   a (appRefresh), not before "))
        #expect(lines[4].hasSuffix(", needs network"))
        #expect(lines[5] == "last run  3 of a failed after 1.5s, 44m 58s ago (exit status 2)")
        #expect(lines[6] == "warning postponed: Again.")
        #expect(lines[7] == "  fix: Do not.")
    }

    @Test(
        "a submission is a sentence about what it did",
        arguments: [
            (
                #"{"outcome":"submitted","request":{"identifier":"a","kind":"appRefresh"}}"#,
                "Submitted: a (appRefresh), as soon as it can\n"
            ),
            (
                #"{"outcome":"kept","request":{"identifier":"a","kind":"appRefresh"}}"#,
                "Kept what was pending: a (appRefresh), as soon as it can\n"
            ),
            (
                #"{"outcome":"replaced","request":{"identifier":"a","kind":"appRefresh"},"#
                    + #""previous":{"identifier":"a","kind":"processing"},"postponed":2}"#,
                """
                Replaced: a (appRefresh), as soon as it can
                  before: a (processing), as soon as it can
                  It was moved later, now 2 times in a row; --if-pending keep-earlier never does that.

                """
            ),
        ])
    func submissions(result: String, text: String) {
        #expect(output(["submit", "a"], result) == text)
    }

    @Test("short answers are sentences")
    func sentences() {
        #expect(output(["cancel", "a"], #"{"cancelled":false}"#) == "Nothing was pending for a.\n")
        #expect(
            output(["cancel", "a"], #"{"cancelled":true,"request":{"identifier":"a"}}"#)
                == "Cancelled the request of a.\n")
        #expect(output(["cancel-all"], #"{"cancelled":1}"#) == "Cancelled 1 request.\n")
        #expect(output(["cancel-all"], #"{"cancelled":3}"#) == "Cancelled 3 requests.\n")
        #expect(output(["pause"], #"{"paused":true}"#) == "New runs are held until resume.\n")
        #expect(
            output(["resume", "--app", "b"], #"{"paused":false}"#) == "New runs of b are not held any more.\n")
        #expect(output(["app", "opened", "b"], #"{"app":"b"}"#) == "Noted for b.\n")
        #expect(output(["shutdown"], "{}") == "The daemon lets its runs finish and ends.\n")
    }

    @Test("history shows how long runs took and waited")
    func history() {
        let text = output(
            ["history"],
            """
            {"runs":[{"run":12,"identifier":"a","state":"expired","origin":"scheduled",
             "startedAt":"2026-11-29T08:45:00.000Z","endedAt":"2026-11-29T08:45:31.000Z","waitedSeconds":61,
             "expirationReason":"budget"},
             {"run":4,"identifier":"com.example","state":"succeeded","origin":"simulated",
             "startedAt":"2026-11-29T08:45:00.000Z","endedAt":"2026-11-29T08:45:00.250Z","waitedSeconds":0}]}
            """)
        let started = DateText.local(Session.now - 86_400_000)
        #expect(
            text == """
                RUN  IDENTIFIER   STATE      ORIGIN     STARTED               TOOK  WAITED  REASON
                 12  a            expired    scheduled  \(started)    31s   1m 1s  budget
                  4  com.example  succeeded  simulated  \(started)  250ms      0s

                """)
    }

    @Test("the device is a table; what is unknown says so")
    func device() {
        let text = output(
            ["device"],
            """
            {"state":{"externalPower":{"value":true,"source":"kernel","overridden":false},
             "batteryLevel":{"value":0.425,"source":"kernel","overridden":false},
             "network":{"value":null,"source":"netlink (lost)","overridden":false}}}
            """)
        #expect(
            text == """
                CONDITION      VALUE    SOURCE
                externalPower  on       kernel
                batteryLevel   43%      kernel
                network        unknown  netlink (lost)

                """)
    }

    @Test("changes of the device are a table, and it is said how to see older ones")
    func deviceHistory() {
        let at = "2026-11-30T08:30:00.000Z"
        let shown = DateText.brief(1_796_027_400_000, now: Session.now)
        let text = output(
            ["device", "history"],
            """
            {"changes":[
             {"at":"\(at)","condition":"network","value":"none","source":"override","overridden":true},
             {"at":"\(at)","condition":"externalPower","value":null,"source":"upower (lost)","overridden":false}],
             "next":"17"}
            """)
        #expect(
            text == """
                AT        CONDITION      VALUE    SOURCE
                \(shown)  network        none     override
                \(shown)  externalPower  unknown  upower (lost)
                There is more: add --before 17.

                """)
        #expect(output(["device", "history"], #"{"changes":[]}"#) == "There are no such changes.\n")
    }

    @Test("under the table of apps stands why a process is not there, and the newest diagnostic that says more")
    func apps() {
        func app(_ name: String, _ state: String, _ more: String) -> String {
            #"{"app":"\#(name)","state":"\#(state)","permitted":["a"],"registered":1,\#(more)}"#
        }
        let failed =
            #"{"severity":"error","name":"processFailed","message":"It failed.","fix":"Look."}"#
        let missing = #"{"severity":"error","name":"handlerMissing","message":"M.","fix":"F."}"#
        let text = output(
            ["apps"],
            """
            {"apps":[
             \(app("a", "launched", #""process":41,"restarts":0,"diagnostics":[\#(failed),\#(missing)]"#)),
             \(app("b", "idle", #""restarts":2,"failure":"it exited with status 3","#
                + #""startsAgainAt":"2026-11-30T08:45:04.000Z","diagnostics":[\#(missing),\#(failed)]"#)),
             \(app("c", "quarantined", #""restarts":4,"failure":"5 failures","diagnostics":[]"#)),
             \(app("d", "idle", #""restarts":1,"failure":"it died of signal 4","diagnostics":[]"#))]}
            """)
        let lines = text.split(separator: "\n").map { String($0) }
        #expect(lines[1].hasPrefix("a    launched"), "\(text)")
        #expect(
            Array(lines.dropFirst(5)) == [
                "error handlerMissing: M.", "  fix: F.",
                "failed b: it exited with status 3.",
                "  It is started again when it is needed, in 4s at the earliest.",
                "quarantined c: 5 failures.",
                "  fix: Repair it; it is tried again when its files change, or after runnerctl app resume c.",
                "failed d: it died of signal 4.",
            ], "\(text)")
    }

    @Test("findings come with their fixes")
    func doctor() {
        #expect(
            output(
                ["doctor"],
                #"{"findings":[{"severity":"warning","name":"stranded","identifier":"a","message":"M.","fix":"F."}]}"#)
                == "warning stranded a: M.\n  fix: F.\n")
    }

    @Test("what has no form of its own is shown member by member, with local dates and durations")
    func properties() {
        let text = output(
            ["status"],
            #"{"version":"1","pid":7,"startedAt":"2026-11-30T08:44:00.000Z","simulation":true,"graceSeconds":1.5,"#
                + #""store":{"path":"/x","more":[]},"list":["a","b"]}"#)
        #expect(
            text == """
                version     1
                pid         7
                started at  \(DateText.local(Session.now - 60_000)) (1m ago)
                simulation  yes
                grace       1.5s
                store
                  path      /x
                  more      none
                list        a, b

                """)
    }

    @Test("--json gives the result as the socket did, in one line")
    func json() {
        let result = #"{"z":1,"a":[1.5,null,"ü\n"],"n":{}}"#
        #expect(output(["status", "--json"], result) == result + "\n")
        #expect(output(["--json", "call", "status"], result) == result + "\n")
        #expect(
            output(["call", "status"], result) == """
                {
                  "z": 1,
                  "a": [
                    1.5,
                    null,
                    "ü\\n"
                  ],
                  "n": {}
                }

                """)
    }

    @Test("control characters of others never reach the terminal")
    func escapes() {
        let text = output(
            ["log", "--run", "1"],
            #"{"lines":[{"at":"2026-11-30T08:45:00.000Z","stream":"stdout","text":"a\u001b[2Jb\u0007\u009bc\td\u202e"}]}"#
        )
        #expect(text.hasSuffix(" a\u{FFFD}[2Jb\u{FFFD}\u{FFFD}c\td\u{FFFD}\n"))
    }

    @Test("colours are for terminals, and for those who want them")
    func colors() {
        let daemon = FakeDaemon(result: #"{"findings":[]}"#)
        #expect(
            Session(["doctor"], daemon: daemon, isTerminal: true).output == "\u{1B}[32mNothing is wrong.\u{1B}[0m\n")
        #expect(Session(["doctor", "--no-color"], daemon: daemon, isTerminal: true).output == "Nothing is wrong.\n")
        #expect(
            Session(["doctor"], daemon: daemon, variables: ["NO_COLOR": "1"], isTerminal: true).output
                == "Nothing is wrong.\n")
        #expect(Session(["doctor"], daemon: daemon).output == "Nothing is wrong.\n")
    }
}
