import Platform
import Testing

struct SocketLocationTests {
    private func location(_ variables: [String: String] = [:], uid: UInt32) -> SocketLocation {
        SocketLocation(variable: { variables[$0] }, uid: uid)
    }

    @Test("a daemon listens where its clients look first")
    func agreement() {
        for uid: UInt32 in [0, 1_000] {
            for variables in [[:], ["XDG_RUNTIME_DIR": "/run/user/7"], ["RUNNER_SOCKET": "/x"]] {
                let location = location(variables, uid: uid)
                #expect(location.listening == location.candidates.first)
            }
        }
    }

    @Test("root's daemon is the system's, even with a folder of its own")
    func root() {
        let location = location(["XDG_RUNTIME_DIR": "/run/user/0"], uid: 0)
        #expect(location.listening == "/run/runner/control.sock")
        #expect(location.user == "/run/user/0/runner/control.sock")
    }

    @Test("a user's sockets are in one folder")
    func user() {
        let location = location(["XDG_RUNTIME_DIR": "/run/user/7/"], uid: 7)
        #expect(location.listening == "/run/user/7/runner/control.sock")
        #expect(location.app("com.example") == "/run/user/7/runner/apps/com.example.sock")
        #expect(self.location(uid: 7).app("b") == "/tmp/runner-7/apps/b.sock")
    }
}
