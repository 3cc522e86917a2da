import Scheduling

@testable import Recording

/// A small life of a scheduler, and its recording.
struct Recorded {
    static let task = try! TaskIdentifier("com.example.app.refresh")
    static let app = try! AppIdentifier("com.example.app")

    private(set) var lines: [[UInt8]] = []

    /// Submits a request, lets its time come, and lets its run fail; then the store fails, and is read again.
    init() {
        let kept = Kept()
        let boot = BootIdentifier("boot")
        let recorder = Recorder(
            policy: .prompt, contents: StoreContents(), boot: boot, at: Self.moment(0), writer: "1.2.3"
        ) { kept.lines.append(Array($0.dropLast())) }
        var scheduler = Scheduler(policy: .prompt, boot: boot, at: Self.moment(0))
        let start = StartFacts(bootIdentifier: boot, osVersion: "12", runnerVersion: "1.2.3", utcOffsetSeconds: 0)
        let description = AppDescription(
            app: Self.app, host: .commands, permitted: [.exact(Self.task)], modes: [.fetch, .processing],
            tasks: [TaskSettings(identifier: Self.task, hasCommand: true)])
        let request = TaskRequest(
            identifier: Self.task, floor: WallTime(milliseconds: Self.moment(10).wall.milliseconds))
        let happened: [(Int64, Event)] = [
            (0, .started(start)), (0, .appLoaded(description)), (0, .loadingFinished),
            (1, .requestSubmitted(request, SubmissionOptions(), call: CallIdentifier(1))), (10, .timePassed),
            (11, .handlerEntered(RunIdentifier(1), nil)), (12, .processExited(RunIdentifier(1), .code(3))),
        ]
        for (second, event) in happened {
            recorder.record(event, at: Self.moment(second))
            recorder.record(scheduler.handle(event, at: Self.moment(second)))
        }
        recorder.record(reload: StoreContents(), at: Self.moment(13))
        lines = kept.lines
    }

    static func moment(_ second: Int64) -> Moment {
        Moment(
            wall: WallTime(milliseconds: 1_796_028_300_000 + second * 1_000),
            boot: BootTime(milliseconds: second * 1_000),
            awake: AwakeTime(milliseconds: second * 1_000))
    }

    /// The places of the lines that hold effects.
    var effects: [Int] {
        lines.indices.filter { text($0).hasPrefix(#"{"effects":"#) }
    }

    func text(_ line: Int) -> String {
        String(decoding: lines[line], as: UTF8.self)
    }

    mutating func set(_ line: Int, _ text: String) {
        lines[line] = Array(text.utf8)
    }

    mutating func remove(_ line: Int) {
        lines.remove(at: line)
    }

    func replayed() throws(RecordingProblem) -> Replay {
        var replay = Replay()
        for line in lines { try replay.take(line) }
        try replay.end()
        return replay
    }

    private final class Kept {
        var lines: [[UInt8]] = []
    }
}
