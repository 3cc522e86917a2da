import Testing

@testable import RunnerDaemon

@Suite("The places that nobody names")
struct DaemonPlacesTests {
    @Test("root's are the system's, whatever the XDG variables say")
    func system() {
        let variables = ["XDG_STATE_HOME": "/s", "XDG_CONFIG_HOME": "/c", "XDG_RUNTIME_DIR": "/r", "HOME": "/h"]
        let places = DaemonPlaces(variable: { variables[$0] }, uid: 0, home: "/h")
        #expect(places.configurationFile == "/etc/runner/runner.json")
        #expect(places.socket == "/run/runner/control.sock")
        #expect(places.stateFolder == "/var/lib/runner")
        #expect(places.pluginFolders == ["/etc/runner/plugins", "/usr/lib/runner/plugins"])
    }

    @Test("a user's are below the home folder")
    func user() {
        let places = DaemonPlaces(variable: { _ in nil }, uid: 1_000, home: "/home/user")
        #expect(places.configurationFile == "/home/user/.config/runner/runner.json")
        #expect(places.socket == "/tmp/runner-1000/control.sock")
        #expect(places.stateFolder == "/home/user/.local/state/runner")
        #expect(
            places.pluginFolders == ["/home/user/.config/runner/plugins", "/home/user/.local/share/runner/plugins"])
    }

    @Test("the XDG variables move a user's places, as far as they are absolute")
    func variables() {
        let variables = [
            "XDG_STATE_HOME": "/s", "XDG_CONFIG_HOME": "/c/", "XDG_DATA_HOME": "relative", "XDG_RUNTIME_DIR": "/r",
            "HOME": "/h",
        ]
        let places = DaemonPlaces(variable: { variables[$0] }, uid: 1_000, home: "/home/user")
        #expect(places.configurationFile == "/c/runner/runner.json")
        #expect(places.socket == "/r/runner/control.sock")
        #expect(places.stateFolder == "/s/runner")
        #expect(places.pluginFolders == ["/c/runner/plugins", "/h/.local/share/runner/plugins"])
    }

    @Test("without a home nothing is configured from a folder that anybody could have made")
    func homeless() {
        let places = DaemonPlaces(variable: { _ in nil }, uid: 1_000, home: nil)
        #expect(places.configurationFile == nil)
        #expect(places.pluginFolders == [])
    }
}
