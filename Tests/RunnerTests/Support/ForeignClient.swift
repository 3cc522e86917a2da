import Glibc
import Platform
import RPC
import Testing

/// Clients that are another user, whom no user database needs to know. Only root can be somebody else.
struct ForeignClient {
    static let isPossible = geteuid() == 0 && access("/usr/bin/python3", X_OK) == 0
    static let uid: UInt32 = 54_321

    /// Opens connections one after the other, keeps them all, sends a line on each, and returns the first line that
    /// came back on each.
    static func replies(
        at path: String, connections: Int, gid: UInt32 = uid, groups: [UInt32] = [], sending line: String
    ) throws -> [JSONValue] {
        let script = """
            import socket, sys
            kept = []
            for _ in range(int(sys.argv[2])):
                client = socket.socket(socket.AF_UNIX)
                client.connect(sys.argv[1])
                try:
                    client.sendall(sys.argv[3].encode() + b"\\n")
                except BrokenPipeError:
                    pass
                kept.append(client)
                print(client.makefile().readline(), end="", flush=True)
            """
        let pipe = try Pipe.make()
        var options = SpawnOptions(
            executable: "/usr/bin/python3", arguments: ["-c", script, path, String(connections), line],
            environment: ["PATH": "/usr/bin:/bin"])
        options.standardOutput = pipe.writing.raw
        options.workingDirectory = "/"
        options.user = UserCredentials(uid: uid, gid: gid, groups: groups)
        let process = try ChildProcess.spawn(options)
        pipe.writing.close()
        var (text, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
        reading: while true {
            switch buffer.withUnsafeMutableBytes({ NonblockingIO.read(pipe.reading.raw, into: $0) }) {
            case .data(let count): text += buffer[..<count]
            case .wouldBlock: continue
            case .endOfFile, .failed: break reading
            }
        }
        _ = BlockingIO.wait(for: .reading, of: process.pidfd.raw)
        #expect(process.reap() == .exited(0))
        return try text.split(separator: UInt8(ascii: "\n")).map { line in
            try Array(line).withUnsafeBytes { try JSONDocument.parse($0) }.root
        }
    }
}
