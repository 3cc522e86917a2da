import Testing

@testable import RunnerControl

struct RefusalTests {
    private let daemon = FakeDaemon { _, _ in .error(10, "notRegistered", "No handler is registered; register one.") }

    @Test("a refusal is the status 3, its sentence goes to stderr, and nothing to stdout")
    func refused() {
        let session = Session(["submit", "a"], daemon: daemon)
        #expect(session.status == .refused)
        #expect(session.errors == "runnerctl: No handler is registered; register one.\n")
        #expect(session.output.isEmpty)
    }

    @Test("with --json the error is there whole, for programs that match on its kind")
    func json() {
        let session = Session(["--json", "submit", "a"], daemon: daemon)
        #expect(session.status == .refused)
        #expect(
            session.errors
                == #"{"code":10,"message":"No handler is registered; register one.","data":{"kind":"notRegistered"}}"#
                + "\n")
        #expect(session.output.isEmpty)
    }

    @Test("what only the daemon finds wrong with the command line is a mistake there, in the words of the command line")
    func misunderstood() {
        let daemon = FakeDaemon { _, _ in
            .error(-32_602, "invalidParams", "'requiresExternalPower' must be x; see 'wait'.")
        }
        let session = Session(["submit", "a"], daemon: daemon)
        #expect(session.status == .usage)
        #expect(session.errors == "runnerctl: --power must be x; see 'wait'. See “runnerctl submit --help”.\n")
        let program = Session(["submit", "a", "--json"], daemon: daemon)
        #expect(program.status == .usage)
        #expect(program.errors.hasPrefix(#"{"code":-32602,"message":"'requiresExternalPower' must be x"#))
        #expect(Session(["call", "submit", "{}"], daemon: daemon).status == .refused)
    }

    @Test("a refusal of a watched launch ends the wait")
    func watched() {
        let session = Session(["simulate-launch", "a", "--wait"], daemon: daemon)
        #expect(session.status == .refused)
        #expect(daemon.received.map(\.method) == ["simulateLaunch"])
    }
}
