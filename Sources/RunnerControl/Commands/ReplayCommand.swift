import Arguments
import Platform
import Recording
import RPC

/// `replay`: lives through what `runnerd --record` wrote, and says where the scheduler would do something else now.
struct ReplayCommand {
    let surroundings: Surroundings
    let style: Style

    func run(_ parsed: ParsedArguments) throws(ControlFailure) -> ControlStatus {
        let path = parsed.positional("FILE") ?? ""
        let begin = SystemClock.milliseconds(.awake)
        let (replay, hasHalfLine) = try replay(path)
        let report = ReplayReport(
            replay: replay, hasHalfLine: hasHalfLine, milliseconds: SystemClock.milliseconds(.awake) - begin)
        surroundings.console.write(parsed.isSet(ControlDescription.json) ? report.json : report.text(style))
        return replay.differences == 0 ? .done : .unsuccessful
    }

    // MARK: Private

    private func replay(_ path: String) throws(ControlFailure) -> (Replay, hasHalfLine: Bool) {
        var replay = Replay()
        do {
            var lines = try FileLines(path)
            while let line = try lines.next() { try replay.take(line) }
            try replay.end()
            return (replay, lines.isCutOff)
        } catch let problem as RecordingProblem {
            throw .usage(UsageError("\(Printable.text(path)) \(problem.words).", help: Self.help))
        } catch {
            let reason = (error as? SystemError).map { $0.explanation ?? SystemError.text(for: $0.code) } ?? "\(error)"
            throw .usage(UsageError("\(Printable.text(path)) cannot be read: \(reason).", help: Self.help))
        }
    }

    private static let help = "runnerctl replay --help"
}
