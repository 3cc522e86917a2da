/// Cuts a stream of bytes into lines; a line that is too long is cut, and the rest of it dropped.
struct LineSplitter {
    private let limit: Int
    private var line: [UInt8] = []
    private var isCut = false

    init(limit: Int) {
        self.limit = limit
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer, _ body: ([UInt8]) -> Void) {
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                finish(body)
            } else if line.count < limit {
                line.append(byte)
            } else {
                isCut = true
            }
        }
    }

    /// The stream has ended: what is left is a line too.
    mutating func end(_ body: ([UInt8]) -> Void) {
        if !line.isEmpty { finish(body) }
    }

    private mutating func finish(_ body: ([UInt8]) -> Void) {
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        if isCut { line.append(contentsOf: "…".utf8) }
        body(line)
        line.removeAll(keepingCapacity: true)
        isCut = false
    }
}
