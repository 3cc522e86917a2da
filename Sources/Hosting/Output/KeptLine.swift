import Runner
import Scheduling

/// A kept line as its file has it: `TIME+N STREAM TEXT`.
///
/// TIME is in milliseconds. The number of the line is TIME in microseconds and N; no two lines have the same, and later ones
/// have greater ones, also when the clock was set back. `+N` is left out when N is 0.
struct KeptLine {
    var line: LogPage.Line
    var number: Int64

    /// Reads a line without its LF; `nil` for what `bytes` never makes.
    init?(_ bytes: some Collection<UInt8>) {
        let parts = bytes.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let head = Self.head(parts[0]) else { return nil }
        number = head.number
        line = LogPage.Line(
            at: head.at, stream: String(decoding: parts[1], as: UTF8.self),
            text: String(decoding: parts[2], as: UTF8.self))
    }

    /// Reads `TIME+N`.
    static func head(_ bytes: some Collection<UInt8>) -> (at: WallTime, number: Int64)? {
        let parts = bytes.split(separator: UInt8(ascii: "+"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let at = Int64(String(decoding: parts[0], as: UTF8.self)) else { return nil }
        let more = parts.count == 2 ? Int64(String(decoding: parts[1], as: UTF8.self)) : 0
        let (start, overflows) = at.multipliedReportingOverflow(by: microseconds)
        guard let more, !overflows else { return nil }
        let (number, isTooMuch) = start.addingReportingOverflow(more)
        return isTooMuch ? nil : (WallTime(milliseconds: at), number)
    }

    static func number(after last: Int64, at now: WallTime) -> Int64 {
        max(last + 1, now.milliseconds * microseconds)
    }

    /// A line with its LF.
    static func bytes(_ number: Int64, _ stream: String, _ text: some Sequence<UInt8>, at now: WallTime) -> [UInt8] {
        let more = number - now.milliseconds * microseconds
        var line = Array("\(now.milliseconds)\(more == 0 ? "" : "+\(more)") \(stream) ".utf8)
        line.append(contentsOf: text)
        line.append(UInt8(ascii: "\n"))
        return line
    }

    private static let microseconds: Int64 = 1_000
}
