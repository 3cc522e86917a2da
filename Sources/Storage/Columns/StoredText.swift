import Scheduling

/// Cheap proof that a text is one that we wrote: SQLite has no checksums, so damage inside a page shows only here.
enum StoredText {
    /// Whether the bytes can be an identifier of B1.
    static func isIdentifier(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard !bytes.isEmpty, bytes.count <= IdentifierSyntax.longest else { return false }
        var allowed = true
        for byte in bytes {
            let isLetter = (byte | 0x20) &- UInt8(ascii: "a") < 26
            let isDigit = byte &- UInt8(ascii: "0") < 10
            let isMark = byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            allowed = allowed && (isLetter || isDigit || isMark)
        }
        return allowed
    }
}
