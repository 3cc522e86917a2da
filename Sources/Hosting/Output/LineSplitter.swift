/// Cuts a stream of bytes into lines; a line that is too long is cut, and the rest of it dropped.
struct LineSplitter {
    private let limit: Int
    private var line: [UInt8] = []
    private var isCut = false
    /// A CR was seen; it belongs to the line unless an LF follows.
    private var hasReturn = false

    init(limit: Int) {
        self.limit = limit
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer, _ body: ([UInt8]) -> Void) {
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\n"): finish(body)
            case UInt8(ascii: "\r"):
                if hasReturn { keep(byte) }
                hasReturn = true
            default:
                if hasReturn { keep(UInt8(ascii: "\r")) }
                hasReturn = false
                keep(byte)
            }
        }
    }

    /// The stream has ended: what is left is a line too.
    mutating func end(_ body: ([UInt8]) -> Void) {
        if !line.isEmpty || hasReturn { finish(body) }
    }

    private mutating func keep(_ byte: UInt8) {
        if line.count < limit { line.append(byte) } else { isCut = true }
    }

    private mutating func finish(_ body: ([UInt8]) -> Void) {
        if isCut {
            dropBrokenCharacter()
            line.append(contentsOf: "…".utf8)
        }
        body(line)
        line.removeAll(keepingCapacity: true)
        isCut = false
        hasReturn = false
    }

    /// A cut within a character leaves the whole character out.
    private mutating func dropBrokenCharacter() {
        let tail = line.suffix(4)
        guard let lead = tail.lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return }
        let length =
            switch line[lead] {
            case 0xC0..<0xE0: 2
            case 0xE0..<0xF0: 3
            case 0xF0...: 4
            default: 1
            }
        if line.endIndex - lead < length { line.removeSubrange(lead...) }
    }
}
