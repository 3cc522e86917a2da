import Foundation
import Glibc
import Testing

/// Another user than root, with groups of its own, whom no user database needs to know.
struct OtherUser {
    static let isPossible =
        geteuid() == 0 && FileManager.default.isExecutableFile(atPath: setpriv.path)
    static let why: Comment = "only root can be somebody else, with setpriv"

    private static let setpriv = URL(fileURLWithPath: "/usr/bin/setpriv")

    var uid = 54_321
    var gid = 54_321
    var groups: [Int] = []

    /// The first reply on each of so many connections that are open at once.
    func replies(in scene: Scene, connections: Int = 1, sending line: String) async throws -> [JSONNode] {
        let groups = groups.isEmpty ? "--clear-groups" : "--groups=" + groups.map(String.init).joined(separator: ",")
        let outcome = try await scene.run(
            Self.setpriv,
            [
                "--reuid=\(uid)", "--regid=\(gid)", groups, "--", Programs.python.path, "-c",
                try String(contentsOf: Programs.script("other_user.py"), encoding: .utf8), scene.socket,
                String(connections), line,
            ])
        try #require(outcome.status == 0, "\(outcome.errors)")
        return outcome.output.split(separator: "\n").map { JSONNode(String($0)) }
    }

    func reply(in scene: Scene, to method: String, _ params: String = "[]") async throws -> JSONNode {
        let line = #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"#
        return try #require(try await replies(in: scene, sending: line).first)
    }
}
