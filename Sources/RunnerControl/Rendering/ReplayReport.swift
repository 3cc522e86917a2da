import FoundationEssentials
import RPC
import Recording
import Scheduling

/// What a replay came to, for people and for programs.
struct ReplayReport {
    let replay: Replay
    /// Whether the last line of the file was not written to its end.
    let hasHalfLine: Bool
    /// How long it took.
    let milliseconds: Int64

    /// How much of an event or an effect a person gets to see in a line.
    private static let longestLine = 300

    func text(_ style: Style) -> String {
        let (events, runs) = (CountedWord.text(replay.events, "event"), CountedWord.text(replay.runs, "run"))
        var text = "Lived through \(events) and \(runs)"
        text += ", \(DurationText.rounded(max(0, replay.milliseconds))) of the life of runnerd \(replay.writer),"
        text += " in \(DurationText.short(milliseconds))"
        if let rate { text += " (\(rate) events a second)" }
        text += ".\n"
        if replay.reloads > 0 {
            text += "The store failed and was read again \(CountedWord.text(replay.reloads, "time")).\n"
        }
        if hasHalfLine { text += "The last line is cut off and was left out.\n" }
        if replay.lacksEffects {
            text += "The recording is cut off after event \(replay.events): what it led to is not there to compare.\n"
        }
        guard replay.differences > 0 else { return text + style.paint("Nothing differs.", .green) + "\n" }
        let verb = replay.differences == 1 ? "differs" : "differ"
        text += style.paint("\(CountedWord.text(replay.differences, "event")) \(verb) from the recording.", .red)
        text += " Lines with - were recorded, lines with + came now.\n"
        for difference in replay.first { text += "\n" + self.text(difference, style) }
        return text
    }

    var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("same", replay.differences == 0)
            writer.member("events", replay.events)
            writer.member("runs", replay.runs)
            writer.member("reloads", replay.reloads)
            writer.member("cutOff", hasHalfLine || replay.lacksEffects)
            writer.member("writer", replay.writer)
            writer.member("livedSeconds", seconds: replay.milliseconds)
            writer.member("tookSeconds", seconds: milliseconds)
            writer.member("differences", replay.differences)
            writer.key("first")
            writer.array { writer in
                for difference in replay.first { write(difference, into: &writer) }
            }
        }
        writer.endLine()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    // MARK: Private

    private var rate: Int64? {
        milliseconds > 0 ? Int64(replay.events) * 1_000 / milliseconds : nil
    }

    private func text(_ difference: Replay.Difference, _ style: Style) -> String {
        let at = DateText.local(difference.at.wall.milliseconds)
        var text = style.paint("event \(difference.number) (line \(difference.line)), \(at)", .bold)
        text += ": \(line(difference.event))\n"
        // What both begin and end with is no news.
        let (recorded, now) = (difference.recorded, difference.now)
        let same = zip(recorded, now).prefix { $0 == $1 }.count
        let rest = min(recorded.count, now.count) - same
        let tail = zip(recorded.reversed(), now.reversed()).prefix(rest).prefix { $0 == $1 }.count
        for effect in recorded[same..<(recorded.count - tail)] {
            text += style.paint("  - \(line(effect))", .red) + "\n"
        }
        for effect in now[same..<(now.count - tail)] {
            text += style.paint("  + \(line(effect))", .green) + "\n"
        }
        return text
    }

    private func write(_ difference: Replay.Difference, into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("number", difference.number)
            writer.member("line", difference.line)
            writer.member("at", date: difference.at.wall.milliseconds)
            writer.key("event")
            writer.raw(Self.encoded(difference.event))
            writer.key("recorded")
            writer.raw(Self.encoded(difference.recorded))
            writer.key("now")
            writer.raw(Self.encoded(difference.now))
        }
    }

    private func line(_ value: some Encodable) -> String {
        let text = Printable.text(String(decoding: Self.encoded(value), as: UTF8.self))
        return text.count > Self.longestLine ? text.prefix(Self.longestLine - 1) + "…" : text
    }

    /// As the recording has it.
    private static func encoded(_ value: some Encodable) -> [UInt8] {
        (try? Recorder.makeEncoder().encode(value)).map { [UInt8]($0) } ?? Array("null".utf8)
    }
}
