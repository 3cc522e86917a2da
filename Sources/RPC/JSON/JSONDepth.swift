/// Looks at how deep a text nests before anything is built from it; jansson's own bound is fixed and far higher.
package enum JSONDepth {
    /// True when arrays and objects nest deeper than `limit`, whatever else may be wrong with the text.
    package static func exceeds(_ limit: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
        offset(exceeding: limit, bytes) != nil
    }

    /// Where the bracket stands that opens one level too many.
    static func offset(exceeding limit: Int, _ bytes: UnsafeRawBufferPointer) -> Int? {
        // Most texts have so few brackets that they need no closer look.
        guard hasMoreBrackets(than: limit, bytes) else { return nil }
        var depth = 0
        var index = 0
        let count = bytes.count
        while index < count {
            switch bytes[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                if depth > limit { return index }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
            case UInt8(ascii: "\""):
                index = closingQuote(after: index, bytes)
            default:
                break
            }
            index += 1
        }
        return nil
    }

    /// Counts in blocks, which is fast, and not on when there are enough, because whoever nests deep sends much.
    private static func hasMoreBrackets(than limit: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
        var brackets = 0
        var start = 0
        while start < bytes.count, brackets <= limit {
            let end = min(start + 1_024, bytes.count)
            for byte in bytes[start..<end] where byte | 0x20 == UInt8(ascii: "{") { brackets += 1 }
            start = end
        }
        return brackets > limit
    }

    /// The quote that ends the string which opens at `opening`, or the end of the text.
    static func closingQuote(after opening: Int, _ bytes: UnsafeRawBufferPointer) -> Int {
        var index = opening + 1
        let count = bytes.count
        while index < count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") { return index }
            index += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        return count
    }
}
