import Scheduling
import SystemPlatform
import Testing

@testable import RunnerDaemon

@Suite("The command line of runnerd")
struct DaemonArgumentsTests {
    @Test("without anything the defaults hold")
    func defaults() throws {
        let configuration = try FakeSurroundings(uid: 0).configuration()
        #expect(configuration.socketPath == "/run/runner/control.sock")
        #expect(configuration.socketIsDefault)
        #expect(configuration.pluginFoldersAreDefault)
        #expect(configuration.policy == .prompt)
        #expect(configuration.retention == Retention(runs: 10_000, age: .days(90)))
        #expect(configuration.simulation)
        #expect(configuration.logLevel == .info)
        #expect(configuration.logDestination == .automatic)
        #expect(configuration.access == AccessConfiguration())
        #expect(configuration.configurationFile == nil)
        #expect(configuration.recordFile == nil)
        #expect(!configuration.foreground)
        #expect(!configuration.trustBundles)
    }

    @Test("every option is taken over")
    func options() throws {
        let configuration = try FakeSurroundings().configuration([
            "--socket", "/a/control.sock", "--state=/a/state", "--plugins", "/a/p", "--plugins", "/b/p", "--policy",
            "prompt", "--log", "debug", "--foreground", "--record", "/a/events", "--trust-bundles", "--define",
            "TEAM=com.example", "--define", "TEXT=a=b", "--define", "EMPTY=",
        ])
        #expect(configuration.socketPath == "/a/control.sock")
        #expect(!configuration.socketIsDefault)
        #expect(configuration.stateFolder == "/a/state")
        #expect(configuration.pluginFolders == ["/a/p", "/b/p"])
        #expect(!configuration.pluginFoldersAreDefault)
        #expect(configuration.logLevel == .debug)
        #expect(configuration.logDestination == .standardError)
        #expect(configuration.foreground)
        #expect(configuration.recordFile == "/a/events")
        #expect(configuration.trustBundles)
        #expect(configuration.definitions == ["TEAM": "com.example", "TEXT": "a=b", "EMPTY": ""])
    }

    @Test("options beat the environment, which beats the file")
    func precedence() throws {
        let file = """
            {"socket": "/file.sock", "state": "/file", "plugins": ["/file"], "logLevel": "error", "logDestination": "journal",
             "definitions": {"A": "file", "B": "file"}, "limits": "apple", "concurrency": 2}
            """
        var surroundings = FakeSurroundings(file: file)
        var configuration = try surroundings.configuration()
        #expect(configuration.socketPath == "/file.sock")
        #expect(configuration.configurationFile == FakeSurroundings.userFile)
        surroundings.variables["RUNNER_SOCKET"] = "/environment.sock"
        configuration = try surroundings.configuration()
        #expect(configuration.socketPath == "/environment.sock")
        #expect(configuration.stateFolder == "/file")
        #expect(configuration.pluginFolders == ["/file"])
        configuration = try surroundings.configuration([
            "--socket", "/option.sock", "--state", "/option", "--plugins", "/option", "--log", "info", "--define",
            "A=option", "--foreground", "--policy", "prompt",
        ])
        #expect(configuration.socketPath == "/option.sock")
        #expect(configuration.stateFolder == "/option")
        #expect(configuration.pluginFolders == ["/option"])
        #expect(configuration.logLevel == .info)
        #expect(configuration.logDestination == .standardError)
        #expect(configuration.definitions == ["A": "option", "B": "file"])
        #expect(configuration.policy.limits == .apple)
        #expect(configuration.policy.concurrency == 2)
    }

    @Test("the usual socket is the default one, however it was named")
    func namedDefault() throws {
        let surroundings = FakeSurroundings(uid: 0, variables: ["RUNNER_SOCKET": "/run/runner/control.sock"])
        #expect(try surroundings.configuration().socketIsDefault)
        #expect(try !surroundings.configuration(["--socket", "/run/other.sock"]).socketIsDefault)
    }

    @Test("paths are relative to the working folder")
    func relativePaths() throws {
        var surroundings = FakeSurroundings(variables: ["RUNNER_SOCKET": "named.sock"])
        surroundings.files["/srv/my.json"] = .bytes(Array(#"{"concurrency": 7}"#.utf8))
        let configuration = try surroundings.configuration([
            "--config", "my.json", "--state", "./state", "--plugins", "p", "--record", "r",
        ])
        #expect(configuration.policy.concurrency == 7)
        #expect(configuration.configurationFile == "/srv/my.json")
        #expect(configuration.socketPath == "/srv/named.sock")
        #expect(configuration.stateFolder == "/srv/./state")
        #expect(configuration.pluginFolders == ["/srv/p"])
        #expect(configuration.recordFile == "/srv/r")
    }

    @Test("the file after --config is read instead of the usual one, and must be there")
    func namedFile() throws {
        var surroundings = FakeSurroundings(file: #"{"concurrency": 2}"#)
        guard case .failure(let message) = surroundings.parse(["--config", "/missing.json"]) else {
            Issue.record("a missing file was accepted")
            return
        }
        #expect(message == "/missing.json: error: There is no such file. Check the path after --config.")
        surroundings.files["/there.json"] = .bytes(Array("{}".utf8))
        #expect(try surroundings.configuration(["--config", "/there.json"]).policy.concurrency == 4)
        #expect(try surroundings.configuration().policy.concurrency == 2)
    }

    @Test("a usual file that cannot be read is not passed over")
    func unreadable() {
        var surroundings = FakeSurroundings()
        surroundings.files[FakeSurroundings.userFile] = .unreadable("Permission denied.")
        guard case .failure(let message) = surroundings.parse() else {
            Issue.record("it was passed over")
            return
        }
        #expect(message.hasPrefix("\(FakeSurroundings.userFile): error: The configuration cannot be read: Permission"))
    }

    @Test(
        "what cannot be understood is told with what to write",
        arguments: [
            (["--sokcet", "x"], "There is no option --sokcet. Did you mean “--socket”?"),
            (["-config", "x"], "-config has one dash too few. Did you mean “--config”?"),
            (["--plugin", "x"], "There is no option --plugin. Did you mean “--plugins”?"),
            (["--log", "inf"], "not “inf”. Did you mean “info”?"),
            (["--state"], "--state needs a value: --state DIR."),
            (["--state", ""], "--state needs a path that is not empty: --state DIR."),
            (["--state", "/a", "--state", "/b"], "--state is given more than once"),
            (["start"], "“start” is one argument too many"),
            (["--define", "TEAM"], "--define must be NAME=VALUE, not “TEAM”."),
            (["--define", "1TEAM=x"], "Use letters, digits and _"),
            (["--define", "=x"], "“” in --define is no name"),
            (["--define", "A=x", "--define", "A=y"], "--define gives A more than once."),
            (["--policy", "pormpt"], "There is no policy “pormpt”. Did you mean prompt?"),
            (["--policy", "laziness"], "There is no policy “laziness”. Use prompt, apple, doze."),
            (["--foreground=yes"], "--foreground takes no value."),
        ])
    func usage(arguments: [String], expected: String) {
        let outcome = DaemonArguments.parse(
            arguments, environment: { _ in nil }, uid: 1_000, home: nil, read: { _ in .missing })
        guard case .usage(let message) = outcome else {
            Issue.record("it was understood: \(outcome)")
            return
        }
        #expect(message.contains(expected))
        #expect(message.hasSuffix("See “runnerd --help”."))
    }

    @Test("help and version need no file that can be read", arguments: ["--help", "-h"])
    func help(option: String) {
        let surroundings = FakeSurroundings(file: "{")
        guard case .help(let page) = surroundings.parse([option, "--state", ""]) else {
            Issue.record("no help came")
            return
        }
        #expect(page.hasPrefix("NAME\n    runnerd - "))
        #expect(surroundings.parse(["--version"]) == .version("runnerd 0.1.0"))
    }

    @Test("the manual page has its sections in order, all keys, and 80 columns")
    func manual() throws {
        guard case .help(let page) = FakeSurroundings().parse(["--help"]) else {
            Issue.record("no help came")
            return
        }
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let titles = lines.filter { $0.first?.isUppercase ?? false }
        #expect(
            titles == [
                "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "CONFIGURATION", "SIGNALS", "ENVIRONMENT", "FILES",
                "EXIT STATUS", "EXAMPLES",
            ])
        for title in titles.dropFirst() {
            let index = try #require(lines.firstIndex(of: title))
            #expect(lines[index - 1].isEmpty && !lines[index - 2].isEmpty, "one blank line stands before \(title)")
        }
        for key in ConfigurationKey.all { #expect(lines.contains("    " + key.path)) }
        for line in lines { #expect(line.count <= 80, "\(line)") }
        #expect(page.hasSuffix("\n") && !page.hasSuffix("\n\n"))
    }
}
