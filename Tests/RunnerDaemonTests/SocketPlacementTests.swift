import Testing

@testable import RunnerDaemon

@Suite("The socket's place")
struct SocketPlacementTests {
    private func placement(
        uid: UInt32, path: String? = nil, groups: Set<String> = [],
        _ change: (inout AccessConfiguration) -> Void = { _ in }
    ) throws -> SocketPlacement {
        var configuration = try FakeSurroundings(uid: uid, variables: ["XDG_RUNTIME_DIR": "/run/user/1000"])
            .configuration(path.map { ["--socket", $0] } ?? [])
        change(&configuration.access)
        return SocketPlacement(configuration, uid: uid, groupExists: groups.contains)
    }

    @Test("the system's is open to the group runner, where there is one")
    func system() throws {
        var placement = try placement(uid: 0, groups: ["runner"])
        #expect(placement.folder == "/run/runner")
        #expect(placement.folderMode == 0o755)
        #expect(placement.socketMode == 0o660)
        #expect(placement.groupName == "runner")
        placement = try self.placement(uid: 0)
        #expect(placement.folderMode == 0o755)
        #expect(placement.socketMode == 0o600)
        #expect(placement.groupName == nil)
        #expect(placement.missingGroup == nil, "nobody asked for the group")
    }

    @Test("a user's is the user's alone, even where there is a group runner")
    func user() throws {
        let placement = try placement(uid: 1_000, groups: ["runner"])
        #expect(placement.folder == "/run/user/1000/runner")
        #expect(placement.folderMode == 0o700)
        #expect(placement.socketMode == 0o600)
        #expect(placement.groupName == nil)
    }

    @Test("one at another path follows the user's rule, for root too", arguments: [0, 1_000] as [UInt32])
    func elsewhere(uid: UInt32) throws {
        let placement = try placement(uid: uid, path: "/srv/a/control.sock", groups: ["runner"])
        #expect(placement.folder == "/srv/a")
        #expect(placement.folderMode == 0o700)
        #expect(placement.socketMode == 0o600)
        #expect(placement.groupName == nil)
    }

    @Test("the configured mode and group stand over all rules", arguments: [0, 1_000] as [UInt32])
    func configured(uid: UInt32) throws {
        var placement = try placement(uid: uid, groups: ["runner", "wheel"]) { $0.group = "wheel" }
        #expect(placement.groupName == "wheel")
        #expect(placement.socketMode == 0o660)
        #expect(placement.folderMode == 0o755)
        placement = try self.placement(uid: uid, groups: ["runner"]) { $0.socketMode = 0o666 }
        #expect(placement.socketMode == 0o666)
        #expect(placement.folderMode == 0o755)
        placement = try self.placement(uid: uid, path: "/srv/control.sock", groups: ["wheel"]) {
            $0.group = "wheel"
            $0.socketMode = 0o600
        }
        #expect(placement.socketMode == 0o600)
        #expect(placement.folderMode == 0o700)
    }

    @Test("a configured group that is not there opens nothing, and is told")
    func missingGroup() throws {
        let placement = try placement(uid: 0, groups: ["runner"]) { $0.group = "gone" }
        #expect(placement.groupName == nil)
        #expect(placement.missingGroup == "gone")
        #expect(placement.socketMode == 0o600)
    }

    @Test(
        "the folder is what stands before the name",
        arguments: [("/control.sock", "/"), ("/a//control.sock", "/a"), ("/a/b/c", "/a/b")])
    func folders(path: String, folder: String) throws {
        #expect(try placement(uid: 1_000, path: path).folder == folder)
    }
}
