import Glibc

/// The lines of a file, read from its beginning a piece at a time.
package struct FileLines {
    /// The longest line; a file without line ends must not fill the memory.
    package static let longestLine = 1 << 28

    private static let pieceSize = 1 << 16

    private let descriptor: OwnedDescriptor
    private let path: String
    private var buffer: [UInt8] = []
    /// Where the next line begins, and how far it was searched for its end.
    private var start = 0
    private var searched = 0

    package init(_ path: String) throws(SystemError) {
        let raw = open(path, O_RDONLY | O_CLOEXEC)
        guard raw >= 0 else { throw .last("read", path: path) }
        descriptor = OwnedDescriptor(raw)
        self.path = path
    }

    /// The next line without its LF; nil at the end. What follows the last LF is no line: it was not written to its end.
    package mutating func next() throws(SystemError) -> [UInt8]? {
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(buffer[start..<end])
                start = end + 1
                searched = start
                return line
            }
            buffer.removeFirst(start)
            start = 0
            searched = buffer.count
            guard searched <= Self.longestLine else {
                throw SystemError(code: EFBIG, operation: "read", path: path, explanation: "a line in it has no end")
            }
            guard try readPiece() else { return nil }
        }
    }

    /// Whether something stands after the last LF; only to be asked at the end.
    package var isCutOff: Bool { start < buffer.count }

    // MARK: Private

    private mutating func readPiece() throws(SystemError) -> Bool {
        let count = buffer.count
        buffer.append(contentsOf: repeatElement(0, count: Self.pieceSize))
        let outcome = buffer.withUnsafeMutableBytes {
            NonblockingIO.read(descriptor.raw, into: UnsafeMutableRawBufferPointer(rebasing: $0[count...]))
        }
        switch outcome {
        case .data(let read):
            buffer.removeLast(Self.pieceSize - read)
            return true
        case .endOfFile, .wouldBlock:
            buffer.removeLast(Self.pieceSize)
            return false
        case .failed(let error):
            throw SystemError(code: error.code, operation: "read", path: path)
        }
    }
}
