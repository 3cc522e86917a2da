/// Cuts a stream of bytes into lines, each of which must begin like a JSON object or array.
///
/// Every byte is looked at once, however the stream is cut into reads.
package struct LineFramer: Sendable {
    package enum Frame: Hashable, Sendable {
        /// A line without its end. The place holds until the next `append`.
        case line(Range<Int>)
        /// A line began with something else than `{` or `[`. Nothing follows.
        case notJSON
        /// A line passed the limit. Nothing follows.
        case tooLong
    }

    private enum State {
        /// Only spaces so far; can transition to `text` or `failed`.
        case blank
        /// Within a line; can transition to `blank` or `failed`.
        case text
        /// Answered with `notJSON` or `tooLong`; stays.
        case failed
    }

    private static let block = 64

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

    package init(limit: Int) {
        self.limit = limit
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
        guard let end = endOfLine() else {
            scanned = buffer.count
            return buffer.count - start + dropped > limit ? fail(.tooLong) : nil
        }
        guard end - start + dropped <= limit else { return fail(.tooLong) }
        return finishLine(end: end, next: end + 1)
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

    private func endOfLine() -> Int? {
        buffer.withUnsafeBufferPointer { bytes in
            var index = scanned
            // Blocks without an LF are passed over as a whole.
            while index + Self.block <= bytes.count {
                var found: UInt8 = 0
                for byte in bytes[index..<(index + Self.block)] { found |= byte == UInt8(ascii: "\n") ? 1 : 0 }
                if found != 0 { break }
                index += Self.block
            }
            while index < bytes.count {
                if bytes[index] == UInt8(ascii: "\n") { return index }
                index += 1
            }
            return nil
        }
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
