/// Lines that wait to be written to the peer.
struct OutputBuffer: Sendable {
    /// Writes at the end.
    var writer = JSONWriter()
    /// Bytes at the beginning that have gone out.
    private var sent = 0

    /// A buffer that grew beyond this is given back once it is empty.
    private static let keptCapacity = 65_536

    var count: Int { writer.bytes.count - sent }

    func withBytes<T, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> T
    ) throws(Failure) -> T {
        try writer.bytes.withUnsafeBufferPointer { (bytes) throws(Failure) -> T in
            try body(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[sent...])))
        }
    }

    mutating func drop(_ count: Int) {
        precondition(count <= self.count, "more was sent than there was")
        sent += count
        if sent == writer.bytes.count {
            writer.forget(keepingCapacity: writer.bytes.capacity <= Self.keptCapacity)
            sent = 0
        } else if sent > writer.bytes.count / 2 {
            // Moves at most as much as has gone out, so each byte is moved about once.
            writer.dropFirst(sent)
            sent = 0
        }
    }

    mutating func take() -> [UInt8] {
        if sent > 0 { writer.dropFirst(sent) }
        sent = 0
        return writer.takeBytes()
    }
}
