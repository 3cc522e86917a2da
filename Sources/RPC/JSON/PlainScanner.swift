/// Walks over the most usual spelling of JSON: spaces in front of each piece are skipped, and whatever is out of the
/// ordinary ends the walk, so that the whole parser looks at it.
struct PlainScanner {
    private static let space = UInt8(ascii: " ")
    /// So many digits always fit into 64 bits.
    private static let mostDigits = 18

    private let text: UnsafeRawBufferPointer
    private var position = 0

    init(_ text: UnsafeRawBufferPointer) {
        self.text = text
    }

    var isAtEnd: Bool {
        mutating get {
            skipSpaces()
            return position == text.count
        }
    }

    mutating func take(_ piece: StaticString) -> Bool {
        skipSpaces()
        let count = piece.utf8CodeUnitCount
        guard position + count <= text.count else { return false }
        for index in 0..<count where text[position + index] != piece.utf8Start[index] { return false }
        position += count
        return true
    }

    /// An integer that comes back as it was sent: neither with a leading zero nor −0.
    mutating func integer() -> Int64? {
        skipSpaces()
        let isNegative = position < text.count && text[position] == UInt8(ascii: "-")
        if isNegative { position += 1 }
        let start = position
        var value: Int64 = 0
        while position < text.count, case let digit = text[position] &- UInt8(ascii: "0"), digit <= 9 {
            guard position - start < Self.mostDigits else { return nil }
            value = value * 10 + Int64(digit)
            position += 1
        }
        guard position > start, text[start] != UInt8(ascii: "0") || (position == start + 1 && !isNegative) else {
            return nil
        }
        return isNegative ? -value : value
    }

    /// A string of printable ASCII without escapes.
    mutating func string() -> UnsafeRawBufferPointer? {
        guard take("\"") else { return nil }
        let start = position
        while position < text.count, text[position] != UInt8(ascii: "\"") {
            guard (Self.space...0x7E).contains(text[position]), text[position] != UInt8(ascii: "\\") else { return nil }
            position += 1
        }
        guard position < text.count else { return nil }
        defer { position += 1 }
        return UnsafeRawBufferPointer(rebasing: text[start..<position])
    }

    /// Everything from here to the brace that ends the text.
    mutating func restBeforeBrace() -> UnsafeRawBufferPointer? {
        skipSpaces()
        var end = text.count
        while end > position, text[end - 1] == Self.space { end -= 1 }
        guard end > position, text[end - 1] == UInt8(ascii: "}") else { return nil }
        return UnsafeRawBufferPointer(rebasing: text[position..<(end - 1)])
    }

    private mutating func skipSpaces() {
        while position < text.count, text[position] == Self.space { position += 1 }
    }
}
