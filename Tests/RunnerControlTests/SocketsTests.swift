import Testing

@testable import RunnerControl

@Suite("The list of sockets")
struct SocketsTests {
    private static let folder = "/run/user/1000/runner/apps"
    private let daemon = FakeDaemon(greets: false) { call, _ in
        call.method == "hello"
            ? .result(
                #"{"protocol":1,"server":"runnerd","version":"1.2.3","user":1000,"access":"operate","instance":"i"}"#)
            : .result(#"{"pid":4711}"#)
    }

    @Test("each socket is told with who answers, or why nobody does")
    func table() {
        let session = Session(
            ["sockets"], daemon: daemon, listening: [Session.socket, "\(Self.folder)/com.example.sock"],
            names: [Self.folder: ["com.example.gone.sock", "com.example.sock", "notes.txt", ".sock"]])
        #expect(session.status == .done)
        let rows = session.output.split(separator: "\n").map { $0.split(separator: " ").map { String($0) } }
        #expect(
            rows.map { $0.prefix(2) }.map { $0.joined(separator: " ") } == [
                "SOCKET OF", "\(Session.socket) user", "/run/runner/control.sock system",
                "\(Self.folder)/com.example.gone.sock app", "\(Self.folder)/com.example.sock app",
            ])
        #expect(rows[1] == [Session.socket, "user", "runnerd", "1.2.3", "4711", "operate"])
        #expect(rows[2].suffix(5).joined(separator: " ") == "No such file or directory")
        #expect(rows[4].dropFirst(2) == ["com.example", "runnerd", "1.2.3", "4711", "operate"])
    }

    @Test("programs get the same, in one line")
    func json() throws {
        let session = Session(
            ["sockets", "--json"], daemon: daemon, listening: ["/named"], variables: ["RUNNER_SOCKET": "/named"])
        #expect(session.status == .done)
        #expect(
            session.output
                == #"{"sockets":[{"socket":"/named","of":"named","answers":true,"server":"runnerd","version":"1.2.3","#
                + #""user":1000,"access":"operate","instance":"i","pid":4711},"#
                + #"{"socket":"/run/user/1000/runner/control.sock","of":"user","answers":false,"#
                + #""reason":"No such file or directory"},{"socket":"/run/runner/control.sock","of":"system","#
                + #""answers":false,"reason":"No such file or directory"}]}"# + "\n")
    }

    @Test("an option that chooses a socket chooses the only one that is looked at")
    func chosen() {
        for (option, path, owner) in [
            (["--socket", "/a"], "/a", "named"), (["--user"], Session.socket, "user"),
            (["--system"], "/run/runner/control.sock", "system"),
            (["--app", "com.example"], "\(Self.folder)/com.example.sock", "app"),
        ] {
            let session = Session(
                ["sockets"] + option, daemon: daemon, listening: [path], variables: ["RUNNER_SOCKET": "/named"],
                names: [Self.folder: ["com.example.sock", "com.other.sock"]])
            #expect(session.status == .done)
            #expect(session.tried == [path], "\(option)")
            let rows = session.output.split(separator: "\n").map { $0.split(separator: " ").map { String($0) } }
            #expect(rows.dropFirst().map { $0.prefix(2) } == [[path, owner]])
        }
        #expect(Session(["sockets", "--system"], daemon: daemon, listening: [Session.socket]).status == .noDaemon)
        #expect(Session(["sockets", "--user", "--system"], daemon: daemon).status == .usage)
    }

    @Test("where the environment names the user's socket it is listed once")
    func once() {
        let session = Session(["sockets"], variables: ["RUNNER_SOCKET": Session.socket])
        #expect(session.tried == [Session.socket, "/run/runner/control.sock"])
    }

    @Test("what answers and is no runner, or refuses, is told, and the status says that there is no daemon")
    func strange() {
        let refusing = Session(
            ["sockets"], daemon: FakeDaemon(greets: false) { _, _ in .error(22, "limitExceeded", "Too many.") })
        #expect(refusing.status == .noDaemon)
        #expect(refusing.output.contains("Too many."))
        let noise = Session(["sockets"], daemon: FakeDaemon { _, _ in .noise("SSH-2.0\n") })
        #expect(noise.status == .noDaemon)
        #expect(noise.output.contains("What answers is not a runner"))
        #expect(Session(["sockets"]).status == .noDaemon)
    }
}
