/// Cuts a stream of bytes into lines, each of which must begin like a JSON object or array.
///
/// No byte is looked at again when more of its line comes, however the stream is cut into reads. A line that breaks a
/// rule is refused at the byte that breaks it: its end is not waited for, and the first of two such bytes counts.
package struct LineFramer: Sendable {
    package enum Frame: Hashable, Sendable {
        /// A line without its end. The place holds until the next `append`.
        case line(Range<Int>)
        /// A line began with something else than `{` or `[`. Nothing follows.
        case notJSON
        /// A line passed the limit. Nothing follows.
        case tooLong
        /// Arrays and objects of a line nest too deep. Nothing follows.
        case tooDeep
    }

    private enum State {
        /// Only spaces so far; can transition to `text` or `failed`.
        case blank
        /// Within a line; can transition to `blank` or `failed`.
        case text
        /// Answered with `notJSON`, `tooLong` or `tooDeep`; stays.
        case failed
    }

    private static let block = 64
    private static let part = 4_096

    /// The most bytes a line may have, without its LF.
    package let limit: Int

    private var buffer: [UInt8] = []
    private var state = State.blank
    /// Where the current line's text starts.
    private var start = 0
    /// There is no LF between `start` and here.
    private var scanned = 0
    /// Spaces in front of the text that were dropped; they count for the limit.
    private var dropped = 0
    /// Of the current line.
    private var depth: JSONDepth

    /// - Parameter depth: levels of arrays and objects that a line may have.
    package init(limit: Int, depth: Int) {
        self.limit = limit
        self.depth = JSONDepth(limit: depth)
    }

    /// Bytes that wait for the end of their line, or to be looked at.
    package var bufferedCount: Int { buffer.count - start }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard state != .failed else { return }
        makeRoom()
        buffer.append(contentsOf: bytes)
    }

    package func withLine<T, Failure: Error>(
        _ line: Range<Int>, _ body: (UnsafeRawBufferPointer) throws(Failure) -> T
    ) throws(Failure) -> T {
        try buffer.withUnsafeBufferPointer { (bytes) throws(Failure) -> T in
            try body(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[line])))
        }
    }

    /// The next line, or what is wrong with it; nil when more bytes have to come first.
    package mutating func next() -> Frame? {
        switch state {
        case .failed: return nil
        case .blank:
            guard skipSpaces() else { return dropped > limit ? fail(.tooLong) : nil }
            guard dropped <= limit else { return fail(.tooLong) }
            guard buffer[start] == UInt8(ascii: "{") || buffer[start] == UInt8(ascii: "[") else {
                return fail(.notJSON)
            }
            state = .text
            scanned = start
        case .text: break
        }
        while true {
            // A part at a time, so that of a line that is refused no more is looked at.
            let stop = min(scanned + Self.part, buffer.count)
            let end = endOfLine(before: stop)
            guard !isTooDeep(upTo: end ?? stop) else { return fail(.tooDeep) }
            if let end {
                return end - start + dropped > limit ? fail(.tooLong) : finishLine(end: end, next: end + 1)
            }
            scanned = stop
            guard stop - start + dropped <= limit else { return fail(.tooLong) }
            guard stop < buffer.count else { return nil }
        }
    }

    /// The last line, when the stream ends without an LF.
    package mutating func finish() -> Frame? {
        guard state == .text else { return nil }
        return finishLine(end: buffer.count, next: buffer.count)
    }

    // MARK: Private

    private mutating func finishLine(end: Int, next: Int) -> Frame {
        let hasReturn = buffer[end - 1] == UInt8(ascii: "\r")
        let line = start..<(hasReturn ? end - 1 : end)
        start = next
        dropped = 0
        depth = JSONDepth(limit: depth.limit)
        state = .blank
        return .line(line)
    }

    /// False when there is nothing but spaces and blank lines.
    private mutating func skipSpaces() -> Bool {
        while start < buffer.count {
            switch buffer[start] {
            case UInt8(ascii: "\n"):
                guard dropped <= limit else { return false }
                dropped = 0
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): dropped += 1
            default: return true
            }
            start += 1
        }
        return false
    }

    private func endOfLine(before stop: Int) -> Int? {
        buffer.withUnsafeBufferPointer { bytes in
            var index = scanned
            // Blocks without an LF are passed over as a whole.
            while index + Self.block <= stop {
                var found: UInt8 = 0
                for byte in bytes[index..<(index + Self.block)] { found |= byte == UInt8(ascii: "\n") ? 1 : 0 }
                if found != 0 { break }
                index += Self.block
            }
            while index < stop {
                if bytes[index] == UInt8(ascii: "\n") { return index }
                index += 1
            }
            return nil
        }
    }

    /// What stands beyond the limit makes the line too long instead.
    private mutating func isTooDeep(upTo end: Int) -> Bool {
        let text = start..<min(end, start + limit - dropped)
        return buffer.withUnsafeBytes { depth.offsetExceeding(in: UnsafeRawBufferPointer(rebasing: $0[text])) } != nil
    }

    private mutating func fail(_ frame: Frame) -> Frame {
        state = .failed
        buffer = []
        start = 0
        return frame
    }

    /// Forgets finished lines; moves the rest only when that is at most half of what is stored.
    private mutating func makeRoom() {
        if start == buffer.count {
            // A connection that once sent a long line does not keep its memory.
            buffer.removeAll(keepingCapacity: buffer.capacity <= 65_536)
        } else if start > buffer.count / 2 {
            buffer.removeSubrange(..<start)
        } else {
            return
        }
        scanned = max(scanned - start, 0)
        start = 0
    }
}
