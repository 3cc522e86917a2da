import FoundationEssentials
import Recording
import Scheduling
import Testing

@testable import RunnerControl

@Suite("Replaying a recording")
struct ReplayCommandTests {
    private let file: String

    init() {
        file = FileManager.default.temporaryDirectory.path + "/replay-\(UInt64.random(in: 0...UInt64.max))"
    }

    /// Writes a recording of two events, whose recorded effects can be changed.
    private func record(_ change: ([Effect]) -> [Effect] = { $0 }, cutOff: Bool = false) throws {
        let kept = Kept()
        let boot = BootIdentifier("boot")
        let recorder = Recorder(
            policy: .prompt, contents: StoreContents(), boot: boot, at: Self.moment(0), writer: "1.2.3"
        ) { kept.bytes += $0 }
        var scheduler = Scheduler(policy: .prompt, boot: boot, at: Self.moment(0))
        for (second, event) in [(0, Event.loadingFinished), (90, .drainBegan(grace: .zero))] as [(Int64, Event)] {
            recorder.record(event, at: Self.moment(second))
            recorder.record(change(scheduler.handle(event, at: Self.moment(second))))
        }
        if cutOff { kept.bytes += Array("{\"event".utf8) }
        try Data(kept.bytes).write(to: URL(filePath: file))
    }

    private static func moment(_ second: Int64) -> Moment {
        Moment(
            wall: WallTime(milliseconds: Session.now + second * 1_000), boot: BootTime(milliseconds: second * 1_000),
            awake: AwakeTime(milliseconds: second * 1_000))
    }

    private final class Kept {
        var bytes: [UInt8] = []
    }

    private func replay(_ arguments: String...) -> Session {
        defer { try? FileManager.default.removeItem(atPath: file) }
        return Session(["replay", file] + arguments)
    }

    @Test("what is the same ends with 0, and is counted")
    func same() throws {
        try record()
        let session = replay()
        #expect(session.status == .done)
        #expect(session.output.hasPrefix("Lived through 2 events and 0 runs, 1m 30s of the life of runnerd 1.2.3, in "))
        #expect(session.output.hasSuffix("Nothing differs.\n"))
        #expect(session.tried.isEmpty, "it needs no daemon")
    }

    @Test("what differs ends with 1, with the event, what was recorded and what came now")
    func different() throws {
        try record { $0.filter { $0 != .drained } }
        let session = replay()
        #expect(session.status == .unsuccessful)
        #expect(session.output.contains("1 event differs from the recording."))
        #expect(session.output.contains("event 2 (line 5), "))
        #expect(session.output.contains(#"{"drainBegan":"#))
        #expect(session.output.contains("\n  + {\"drained\":{}}\n"))
        #expect(!session.output.contains("  - "), "what is the same on both sides is no news")
    }

    @Test("a program gets both sides in full")
    func json() throws {
        try record { $0.filter { $0 != .drained } + [.reply(CallIdentifier(7), .done)] }
        let session = replay("--json")
        #expect(session.status == .unsuccessful)
        #expect(session.output.filter { $0 == "\n" }.count == 1)
        #expect(
            session.output.hasPrefix(#"{"same":false,"events":2,"runs":0,"reloads":0,"cutOff":false,"writer":"1.2.3","#)
        )
        #expect(session.output.contains(#""differences":2,"first":[{"number":1,"line":3,"#))
        #expect(session.output.contains(#"{"reply":{"_0":{"number":7},"_1":{"done":{}}}}"#))
    }

    @Test("a last line that is cut off is left out, and that is said")
    func cutOff() throws {
        try record(cutOff: true)
        let session = replay()
        #expect(session.status == .done)
        #expect(session.output.contains("The last line is cut off and was left out.\n"))
    }

    @Test("a recording that ends with an event, at the end of a line, is not taken for a whole one")
    func withoutEffects() throws {
        try record()
        let whole = try String(contentsOf: URL(filePath: file), encoding: .utf8)
        let lines = whole.split(separator: "\n").dropLast()
        for (arguments, word) in [
            ([], "The recording is cut off after event 2: what it led to is not there to compare.\n"),
            (["--json"], #""cutOff":true"#),
        ] {
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: file))
            let session = Session(["replay", file] + arguments)
            #expect(session.status == .done)
            #expect(session.output.contains(word), "\(session.output)")
        }
        try FileManager.default.removeItem(atPath: file)
    }

    @Test("a file that is no recording, or is not there, ends with 2 and a sentence")
    func none() throws {
        try Data("hello\n".utf8).write(to: URL(filePath: file))
        let none = replay()
        #expect(none.status == .usage)
        #expect(none.errors.contains("\(file) is no recording; runnerd --record FILE makes one."))
        let missing = replay()
        #expect(missing.status == .usage)
        #expect(missing.errors.contains("cannot be read: No such file or directory."))
        try Data(#"{"recording":{"version":1,"writer":"0.0.1"}}"#.utf8 + [10]).write(to: URL(filePath: file))
        #expect(replay().errors.contains("a recording of format 1, made by runnerd 0.0.1"))
    }
}
