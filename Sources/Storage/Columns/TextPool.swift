import Glibc

/// Gives rows with the same text the same string, so that an app's name is in memory once and not once a request.
struct TextPool {
    private var last = ""
    private var known: Set<String> = []

    /// The text of these bytes. Neighbouring rows mostly share it, and then nothing is allocated.
    mutating func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        if !isLast(bytes) {
            last = known.insert(String(decoding: bytes, as: UTF8.self)).memberAfterInsert
        }
        return last
    }

    /// The same for an identifier; `nil` when it cannot be one. Looks only at what the last row did not have.
    mutating func identifier(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        guard !bytes.isEmpty, isLast(bytes) || StoredText.isIdentifier(bytes) else { return nil }
        return text(bytes)
    }

    private mutating func isLast(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        last.withUTF8 { $0.count == bytes.count && TextPool.same($0, bytes) }
    }

    private static func same(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let left = left.baseAddress, let start = right.baseAddress else { return true }
        return memcmp(left, start, right.count) == 0
    }
}
