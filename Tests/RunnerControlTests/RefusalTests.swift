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

    @Test("a refusal of a watched launch ends the wait")
    func watched() {
        let session = Session(["simulate-launch", "a", "--wait"], daemon: daemon)
        #expect(session.status == .refused)
        #expect(daemon.received.map(\.method) == ["simulateLaunch"])
    }
}
