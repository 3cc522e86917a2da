import Foundation
import Glibc
import Testing

/// A connection to the control socket that sends bytes exactly as a test says, and hands out what comes back by lines.
final class Wire {
    private static let patienceSeconds = 20

    let descriptor: Int32
    private var text: [UInt8] = []
    private var isOpen = true
    private let recording: ReplyRecording

    /// Takes over a connected socket.
    init(descriptor: Int32, isControl: Bool) {
        self.descriptor = descriptor
        recording = ReplyRecording(isOn: isControl)
        var patience = timeval(tv_sec: Self.patienceSeconds, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    convenience init(_ path: String) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        try #require(descriptor >= 0)
        self.init(descriptor: descriptor, isControl: true)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0, "\(path): \(String(cString: strerror(errno)))")
    }

    deinit { close() }

    func close() {
        if isOpen { Glibc.close(descriptor) }
        isOpen = false
    }

    // MARK: - Sending

    /// Sends all of it, unless the other side has closed before; then what it said can still be read.
    func send(_ bytes: some Sequence<UInt8>) throws {
        let bytes = Array(bytes)
        recording.sent(bytes)
        try Self.send(bytes, on: descriptor)
    }

    /// For another thread than the one that receives; the replies are not recorded.
    static func send(_ bytes: [UInt8], on descriptor: Int32) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                Glibc.send(descriptor, bytes.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EPIPE || errno == ECONNRESET { return }
            try #require(count > 0, "nothing could be sent: \(String(cString: strerror(errno)))")
            sent += count
        }
    }

    func send(line: String) throws {
        try send(Array(line.utf8) + [UInt8(ascii: "\n")])
    }

    /// Says that nothing more will be sent; replies may still come.
    func finishSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    // MARK: - Receiving

    /// Whether the other side has closed, whatever is still to be read.
    var isHungUp: Bool {
        var entry = pollfd(fd: descriptor, events: 0, revents: 0)
        return poll(&entry, 1, 0) == 1 && entry.revents & Int16(POLLHUP) != 0
    }

    /// The next line without its end; `nil` when the other side has closed.
    func receiveLine() throws -> String? {
        while true {
            if let end = text.firstIndex(of: UInt8(ascii: "\n")) {
                defer { text.removeSubrange(...end) }
                let line = String(decoding: text[..<end], as: UTF8.self)
                recording.received(line)
                return line
            }
            guard try fill() else {
                try #require(text.isEmpty, "the connection ended within a line")
                return nil
            }
        }
    }

    func receive(line: Int = #line) throws -> JSONNode {
        let text = try #require(try receiveLine(), "the connection was closed (line \(line))")
        return JSONNode(text)
    }

    /// Everything that comes until the other side closes.
    func rest() throws -> [String] {
        var lines: [String] = []
        while let line = try receiveLine() { lines.append(line) }
        return lines
    }

    /// Sends one request and gives the next message.
    func ask(_ method: String, _ params: String = "{}") throws -> JSONNode {
        try send(line: #"{"jsonrpc":"2.0","id":"ask","method":"\#(method)","params":\#(params)}"#)
        let reply = try receive()
        try #require(reply["id"] == "ask", "\(reply)")
        return reply
    }

    /// False at the end.
    private func fill() throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count > 0 {
            text += buffer[..<count]
            return true
        }
        // What was sent after the other side had closed resets the connection; what it said was read before.
        if count == 0 || errno == ECONNRESET { return false }
        try #require(count >= 0, "nothing came: \(String(cString: strerror(errno)))")
        return false
    }
}
