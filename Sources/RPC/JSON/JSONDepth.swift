/// Looks at how deep a text nests before anything is built from it; jansson's own bound is fixed and far higher.
///
/// A text may come in pieces: each byte is counted once, and looked at closely once at most.
package struct JSONDepth: Sendable {
    /// Levels of arrays and objects that a text may have.
    package let limit: Int

    /// All brackets of the first `counted` bytes, whatever they stand in; while there are few no closer look is needed.
    private var brackets = 0
    private var counted = 0
    /// How deep the text nests after the first `scanned` bytes, of which the last may still have to come.
    private var depth = 0
    private var scanned = 0
    private var isInString = false

    package init(limit: Int) {
        self.limit = limit
    }

    /// Where the bracket stands that opens one level too many, whatever else may be wrong with the text.
    static func offset(exceeding limit: Int, _ bytes: UnsafeRawBufferPointer) -> Int? {
        var depth = JSONDepth(limit: limit)
        return depth.offsetExceeding(in: bytes)
    }

    /// Where the bracket stands that opens one level too many; nil when there is none so far.
    ///
    /// - Parameter text: everything from the beginning of the text to what has come by now.
    package mutating func offsetExceeding(in text: UnsafeRawBufferPointer) -> Int? {
        // Most texts have so few brackets that they need no closer look.
        hasManyBrackets(text) ? offsetLookingClosely(at: text) : nil
    }

    /// The quote that ends the string which opens at `opening`, or the end of the text.
    static func closingQuote(after opening: Int, _ bytes: UnsafeRawBufferPointer) -> Int {
        min(endOfString(from: opening + 1, bytes), bytes.count)
    }

    // MARK: Private

    /// Counts in blocks, which is fast, and not on when there are enough, because whoever nests deep sends much.
    private mutating func hasManyBrackets(_ text: UnsafeRawBufferPointer) -> Bool {
        var (brackets, start) = (brackets, counted)
        while start < text.count, brackets <= limit {
            let end = min(start + 1_024, text.count)
            for byte in text[start..<end] where byte | 0x20 == UInt8(ascii: "{") { brackets += 1 }
            start = end
        }
        (self.brackets, counted) = (brackets, start)
        return brackets > limit
    }

    private mutating func offsetLookingClosely(at text: UnsafeRawBufferPointer) -> Int? {
        var (index, depth, isInString) = (scanned, depth, isInString)
        defer { (scanned, self.depth, self.isInString) = (index, depth, isInString) }
        while index < text.count {
            if isInString {
                index = Self.endOfString(from: index, text)
                // A backslash may be the last byte: then the next one is part of the string, whatever it is.
                guard index < text.count else { return nil }
                isInString = false
            } else {
                switch text[index] {
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    depth += 1
                    if depth > limit { return index }
                case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
                case UInt8(ascii: "\""): isInString = true
                default: break
                }
            }
            index += 1
        }
        return nil
    }

    /// The next quote that ends a string; at or just behind the end of the text when there is none.
    private static func endOfString(from start: Int, _ bytes: UnsafeRawBufferPointer) -> Int {
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") { return index }
            index += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        return index
    }
}
