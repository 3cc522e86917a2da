import Scheduling
import Testing

@testable import Recording

@Suite("Living through a recording again")
struct ReplayTests {
    private let nothing = #"{"effects":{"_0":[]}}"#

    private func problem(_ recorded: Recorded) -> RecordingProblem? {
        do throws(RecordingProblem) {
            _ = try recorded.replayed()
            return nil
        } catch {
            return error
        }
    }

    @Test("the same scheduler decides the same, and what was lived through is counted")
    func same() throws {
        let replay = try Recorded().replayed()
        #expect(replay.differences == 0)
        #expect(replay.first.isEmpty)
        #expect(replay.events == 7)
        #expect(replay.runs == 1)
        #expect(replay.reloads == 1)
        #expect(replay.milliseconds == 12_000)
        #expect(replay.writer == "1.2.3")
    }

    @Test("an event that was answered otherwise is told with its line, what was recorded and what came now")
    func different() throws {
        var recorded = Recorded()
        let launch = try #require(recorded.effects.first { recorded.text($0).contains(#""launch""#) })
        recorded.set(launch, nothing)
        let replay = try recorded.replayed()
        #expect(replay.differences == 1)
        let difference = try #require(replay.first.first)
        #expect(difference.event == .timePassed)
        #expect(difference.number == 5)
        #expect(difference.line == launch)
        #expect(difference.at == Recorded.moment(10))
        #expect(difference.recorded == [])
        #expect(difference.now.contains { if case .launch = $0 { true } else { false } })
    }

    @Test("all differences are counted, and the first few are kept")
    func many() throws {
        var recorded = Recorded()
        let full = recorded.effects.filter { recorded.text($0) != nothing }
        for line in full { recorded.set(line, nothing) }
        let replay = try recorded.replayed()
        #expect(full.count > Replay.kept)
        #expect(replay.differences == full.count)
        #expect(replay.first.map(\.line) == full.prefix(Replay.kept).map { $0 })
    }

    @Test("an event without its effects, at the end, is the one at which the daemon died")
    func lastEvent() throws {
        var recorded = Recorded()
        let end = recorded.effects[6]
        while recorded.lines.count > end { recorded.remove(end) }
        let replay = try recorded.replayed()
        #expect(replay.events == 7)
        #expect(replay.differences == 0)
        #expect(replay.lacksEffects)
    }

    @Test("a recording of another format is refused, with the version that wrote it")
    func otherVersion() {
        var recorded = Recorded()
        recorded.set(0, #"{"recording":{"version":4,"writer":"9.0.0"},"more":true}"#)
        let problem = problem(recorded)
        #expect(problem == .otherVersion(4, writer: "9.0.0"))
        #expect(problem?.words.contains("format 4, made by runnerd 9.0.0") == true)
    }

    @Test("a file that is none is refused", arguments: ["", "{}", "hello", #"{"start":{}}"#, #"{"recording":2}"#])
    func none(line: String) {
        var recorded = Recorded()
        recorded.set(0, line)
        #expect(problem(recorded) == .notARecording)
    }

    @Test("a file that ends too early is refused")
    func early() {
        var recorded = Recorded()
        while recorded.lines.count > 1 { recorded.remove(1) }
        #expect(problem(recorded) == .empty)
        recorded.remove(0)
        #expect(problem(recorded) == .notARecording)
    }

    @Test("a line that is missing, comes twice or is no line is named")
    func damaged() throws {
        let recorded = Recorded()
        let event = recorded.effects[2] - 1
        var missing = recorded
        missing.remove(event)
        #expect(problem(missing) == .damaged(line: event + 1))
        var twice = recorded
        twice.set(event + 1, recorded.text(event))
        #expect(problem(twice) == .damaged(line: event + 2))
        var startAgain = recorded
        startAgain.set(event, recorded.text(1))
        #expect(problem(startAgain) == .damaged(line: event + 1))
        var noise = recorded
        noise.set(event, "{\"event\":")
        #expect(problem(noise) == .damaged(line: event + 1))
    }
}
