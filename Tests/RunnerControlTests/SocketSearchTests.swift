import Platform
import Testing

@testable import RunnerControl

@Suite("The search for a daemon", .timeLimit(.minutes(1)))
struct SocketSearchTests {
    private let daemon = FakeDaemon(result: #"{"requests":[]}"#)
    private let user = Session.socket
    private let system = "/run/runner/control.sock"

    @Test("a user's daemon is looked for first, then the system's")
    func order() {
        let first = Session(["pending"], daemon: daemon)
        #expect(first.tried == [user])
        #expect(first.status == .done)
        let second = Session(["pending"], daemon: daemon, listening: [system])
        #expect(second.tried == [user, system])
        #expect(second.status == .done)
    }

    @Test("root looks for the system's daemon only")
    func root() {
        #expect(Session(["status"], user: 0).tried == [system])
    }

    @Test("the environment names one socket, and an option beats it")
    func named() {
        let variables = ["RUNNER_SOCKET": "/a/b"]
        #expect(Session(["status"], variables: variables).tried == ["/a/b"])
        #expect(Session(["status", "--socket", "/c"], variables: variables).tried == ["/c"])
        #expect(Session(["status", "--user"], variables: variables).tried == [user])
        #expect(Session(["--system", "status"], variables: variables).tried == [system])
        #expect(Session(["status"], variables: ["RUNNER_SOCKET": ""]).tried == [user, system])
    }

    @Test("without a folder of its own a user's socket is below /tmp, whatever a relative path says")
    func withoutRuntimeFolder() {
        for folder in ["", "run/user"] {
            #expect(
                Session(["status"], variables: ["XDG_RUNTIME_DIR": folder]).tried
                    == ["/tmp/runner-1000/control.sock", system])
        }
    }

    @Test("a socket that this user may not use is not taken for no daemon")
    func denied() {
        let session = Session(["status"], daemon: daemon, denied: [user, system])
        #expect(session.status == .noDaemon)
        #expect(session.errors.contains("may not connect"))
        #expect(session.errors.contains("group"))
        #expect(!session.errors.contains("systemctl"))
    }

    @Test("an app's program is spoken to at its own socket")
    func app() {
        let path = "/run/user/1000/runner/apps/com.example.sock"
        let alone = Session(["status", "--app", "com.example"])
        #expect(alone.tried == [path])
        #expect(alone.errors.contains("embeds the runner as com.example"))
        let found = Session(["--app", "com.example", "pending"], daemon: daemon, listening: [path])
        #expect(found.tried == [path])
        #expect(daemon.received.last == FakeDaemon.Call(method: "pending", params: #"{"app":"com.example"}"#))
    }

    @Test("a command about an app finds it in the daemon when it has no program")
    func appOfDaemon() {
        let session = Session(["pending", "--app", "com.example"], daemon: daemon)
        #expect(session.tried == ["/run/user/1000/runner/apps/com.example.sock", user])
        #expect(daemon.received == [FakeDaemon.Call(method: "pending", params: #"{"app":"com.example"}"#)])
    }

    @Test("two choices of a socket are one too many")
    func contradiction() {
        #expect(Session(["status", "--user", "--system"]).status == .usage)
        #expect(Session(["status", "--socket", "/a", "--app", "b"]).status == .usage)
        #expect(Session(["pending", "--user", "--app", "b"], daemon: daemon).status == .done)
    }

    @Test("no daemon is its own status, and says what was tried and what to do")
    func noDaemon() {
        let session = Session(["status"])
        #expect(session.status == .noDaemon)
        #expect(session.output.isEmpty)
        for part in [user, system, "No such file", "runnerd", "--socket"] {
            #expect(session.errors.contains(part), "\(part)")
        }
    }

    @Test(
        "an empty path, or an app that is no identifier, is a mistake, and nobody is asked",
        arguments: [
            (["--socket", ""], "--socket"), (["--socket="], "--socket"), (["--app", ""], "--app"),
            (["--app", "../../x"], "--app"),
        ])
    func emptyChoice(options: [String], subject: String) {
        for command in ["status", "sockets", "pending"] {
            let session = Session([command] + options, daemon: daemon)
            #expect(session.status == .usage)
            #expect(session.errors.contains("\(subject) must be"), "\(session.errors)")
            #expect(session.tried.isEmpty)
        }
    }

    @Test("the help says of root what is true of root")
    func rootInHelp() {
        #expect(
            Session(["--help"]).output.split { $0.isWhitespace }.joined(separator: " ")
                .contains("then the system's, which is root's own."))
    }

    @Test(
        "a server that speaks JSON and is no runner is no daemon, whatever it answers",
        arguments: [
            FakeDaemon.Answer.result("{}"), .result("[]"), .result(#"{"protocol":"x"}"#), .error(-32_601, "", "no"),
        ])
    func stranger(answer: FakeDaemon.Answer) {
        for line in [["status"], ["call", "x.y"], ["events"], ["history", "--summary"], ["wait", "1"]] {
            let stranger = FakeDaemon(greets: false) { _, _ in answer }
            let session = Session(line, daemon: stranger)
            #expect(session.status == .noDaemon, "\(line)")
            #expect(session.errors.hasPrefix("runnerctl: What answers is not a runner"), "\(session.errors)")
            #expect(session.errors.filter { $0 == "\n" }.count == 1)
            #expect(session.output.isEmpty)
            #expect(stranger.received.map(\.method) == ["hello"], "nothing else is asked of it")
        }
    }

    @Test("who listens and never answers is waited for a while only, even by a command that may wait for a run")
    func mute() {
        for line in [["status"], ["wait", "1"], ["call", "x.y"], ["events"], ["simulate-launch", "a", "--wait"]] {
            let session = Session(line, daemon: FakeDaemon(greets: false) { _, _ in .silence }, greetingTime: 50)
            #expect(session.status == .noDaemon, "\(line)")
            #expect(session.errors.hasPrefix("runnerctl: Somebody listens there and does not answer"))
        }
    }

    @Test("a runner that hangs later is waited for a while only, unless a run may take that long")
    func hanging() {
        let silent = FakeDaemon { _, _ in .silence }
        for line in [
            ["status"], ["submit", "a"], ["call", "status"], ["stop", "a", "--wait"], ["history", "--summary"],
        ] {
            let session = Session(line, daemon: silent, answerTime: 50)
            #expect(session.status == .noDaemon, "\(line)")
            #expect(session.errors.contains("has not answered within 50ms"), "\(session.errors)")
        }
    }

    @Test("a daemon that refuses the greeting is heard")
    func refusedGreeting() {
        let session = Session(
            ["status"], daemon: FakeDaemon(greets: false) { _, _ in .error(22, "limitExceeded", "Too many.") })
        #expect(session.status == .refused)
        #expect(session.errors == "runnerctl: Too many.\n")
    }

    @Test("a daemon that hangs up or is none at all is as good as no daemon")
    func lost() {
        let hangUp = Session(["status"], daemon: FakeDaemon { _, _ in .hangUp })
        #expect(hangUp.status == .noDaemon)
        #expect(hangUp.errors.contains("closed the connection"))
        let noise = Session(["status"], daemon: FakeDaemon { _, _ in .noise("HTTP/1.1 400 Bad Request\r\n") })
        #expect(noise.status == .noDaemon)
        #expect(noise.errors.contains("not a runner"))
    }
}
