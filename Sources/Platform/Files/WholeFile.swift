import Glibc

/// Files that are read or written as a whole, wherever a path leads: also to a pipe.
package enum WholeFile {
    /// The bytes of a file that has no more than the limit.
    package static func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
        let raw = open(path, O_RDONLY | O_CLOEXEC)
        guard raw >= 0 else { throw .last("read", path: path) }
        let descriptor = OwnedDescriptor(raw)
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            switch chunk.withUnsafeMutableBytes({ NonblockingIO.read(descriptor.raw, into: $0) }) {
            case .data(let count):
                bytes.append(contentsOf: chunk[..<count])
                guard bytes.count <= limit else {
                    throw SystemError(
                        code: EFBIG, operation: "read", path: path, explanation: "it is larger than \(limit) bytes")
                }
            case .endOfFile: return bytes
            case .wouldBlock: _ = BlockingIO.wait(for: .reading, of: descriptor.raw)
            case .failed(let error): throw SystemError(code: error.code, operation: "read", path: path)
            }
        }
    }

    /// Writes a file anew, over what is there.
    package static func write(_ text: String, to path: String) throws(SystemError) {
        let raw = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard raw >= 0 else { throw .last("write", path: path) }
        let descriptor = OwnedDescriptor(raw)
        var text = text
        switch text.withUTF8({ BlockingIO.writeAll(descriptor.raw, UnsafeRawBufferPointer($0)) }) {
        case .data, .wouldBlock: return
        case .endOfFile: throw SystemError(code: EPIPE, operation: "write", path: path)
        case .failed(let error): throw SystemError(code: error.code, operation: "write", path: path)
        }
    }
}
