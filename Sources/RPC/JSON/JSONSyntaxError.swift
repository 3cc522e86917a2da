/// Why a text is not JSON as this project accepts it, and where.
package struct JSONSyntaxError: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        case syntax
        /// The text is fine as far as it goes, and then it stops.
        case incomplete
        case byteOrderMark
        case invalidUTF8
        case nulByte
        case nulInName
        case numberTooLarge
        case duplicateName(String)
        case tooDeep(limit: Int)
    }

    package let reason: Reason
    /// Counted from 1.
    package let line: Int
    /// Counted from 1, in characters.
    package let column: Int
    /// One plain sentence.
    package let message: String

    init(_ reason: Reason, line: Int, column: Int, explanation: String) {
        self.reason = reason
        self.line = line
        self.column = column
        self.message = "The text is not valid JSON at line \(line), column \(column): \(explanation)."
    }

    /// For what we find ourselves at a byte.
    init(_ reason: Reason, at offset: Int, in bytes: UnsafeRawBufferPointer, explanation: String) {
        var line = 1
        var column = 1
        for byte in bytes.prefix(offset) {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        self.init(reason, line: line, column: column, explanation: explanation)
    }
}
