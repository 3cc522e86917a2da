import RPC
import Simulation

@testable import RunnerControl

/// What a daemon answers about one day, 30 November 2026, told at noon.
struct TimelineFixture {
    static let midnight: Int64 = 1_795_996_800_000
    static let hour: Int64 = 3_600_000

    /// A time of that day, as the socket has it.
    static func at(_ hour: Int, _ minute: Int = 0) -> String {
        "2026-11-30T\(pad(hour)):\(pad(minute)):00.000Z"
    }

    static func milliseconds(_ hour: Int, _ minute: Int = 0) -> Int64 {
        midnight + (Int64(hour) * 60 + Int64(minute)) * 60_000
    }

    static func run(
        _ number: Int, _ task: String = "refresh", app: String = "com.example.app", asked: String, started: String,
        ended: String?, state: String = "succeeded", waits: String = "", more: String = ""
    ) -> String {
        #"{"run":\#(number),"identifier":"\#(app).\#(task)","app":"\#(app)","kind":"appRefresh","#
            + #""origin":"scheduled","attempt":1,"submission":\#(number),"waitedSeconds":1,"waits":[\#(waits)],"#
            + #""state":"\#(state)","submittedAt":"\#(asked)","startedAt":"\#(started)","diagnostics":[]"#
            + (ended.map { #","endedAt":"\#($0)""# } ?? "") + more + "}"
    }

    static func request(_ submission: Int, _ task: String = "export", asked: String, more: String = "") -> String {
        #"{"identifier":"com.example.app.\#(task)","app":"com.example.app","kind":"processing","#
            + #""submittedAt":"\#(asked)","submission":\#(submission),"attempts":0\#(more)}"#
    }

    static func change(
        _ at: String, _ condition: String, _ value: String, source: String = "upower", overridden: Bool = false
    ) -> String {
        #"{"at":"\#(at)","condition":"\#(condition)","value":\#(value),"source":"\#(source)","#
            + #""overridden":\#(overridden)}"#
    }

    static func status(startedAt: String = "2026-11-01T00:00:00.000Z", more: String = "") -> String {
        #"{"policy":"prompt","version":"0.1.0","startedAt":"\#(startedAt)"\#(more)}"#
    }

    static func json(_ text: String) throws -> JSONValue {
        try JSONDocument.parse(Array(text.utf8)).root
    }

    static func values(_ texts: [String]) throws -> [JSONValue] {
        try texts.map(json)
    }

    /// The whole day, at noon.
    static let span = TimelineSpan(start: midnight, end: midnight + 12 * hour, now: midnight + 12 * hour)

    private static func pad(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
