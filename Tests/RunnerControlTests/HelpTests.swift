import RPC
import Testing

@testable import RunnerControl

struct HelpTests {
    @Test("help lists every command and says how the program ends")
    func program() {
        for arguments in [["--help"], ["help"], ["-h"]] {
            let session = Session(arguments)
            #expect(session.status == .done)
            for method in MethodCommand.all.map(\.method) {
                let words = CommandWords.command(of: method.name).joined(separator: " ")
                #expect(session.output.contains("\n    \(words) "), "\(words)")
            }
            for part in [
                "call", "manifest check", "plugin new", "sockets", "replay", "completions", "EXIT STATUS",
                "ENVIRONMENT", "NO_COLOR", "--socket PATH",
            ] {
                #expect(session.output.contains(part), "\(part)")
            }
        }
    }

    @Test("no line of help is wider than a terminal", arguments: MethodCommand.all.map(\.method.name))
    func width(method: String) {
        let session = Session(["help", method])
        let isWide: (String) -> Bool = { $0.count > 80 && !$0.contains("runnerctl ") && !$0.hasPrefix("    Result") }
        let page = session.output.split(separator: "METHOD\n").first.map { String($0) } ?? ""
        #expect(page.split(separator: "\n").map { String($0) }.filter(isWide).isEmpty)
    }

    @Test("a method is found by its own name and by its command, and is described for people who write clients")
    func methods() {
        let byCommand = Session(["help", "app", "force-quit"])
        let byName = Session(["help", "app.forceQuit"])
        #expect(byCommand.status == .done)
        #expect(byCommand.output == byName.output)
        for part in ["NAME", "app.forceQuit, for callers who may operate", "Result: {app}", "noSuchApp"] {
            #expect(byName.output.contains(part), "\(part)")
        }
        #expect(Session(["help", "submit"]).output.contains("earliestBeginDate"))
        #expect(Session(["help", "manifest", "check"]).output.contains("--embedded"))
        #expect(Session(["help", "history"]).output.contains("--summary"))
        #expect(Session(["help", "replay"]).output.contains("runnerd --record"))
    }

    @Test("a method's help shows the shapes of its result, what may go wrong and an example")
    func shapes() {
        let page = Session(["help", "pending"]).output
        for part in [
            "Result: {requests: [Request], next?}", "        requests  [Request]\n",
            "        next      string (optional)",
            "    Request: A request that waits until all its gates are open.",
            "earliestBeginDate            Date (optional)",
            "    Errors: invalidIdentifier, noSuchApp, storeUnavailable",
            #"--> {"jsonrpc":"2.0","id":1,"method":"pending","params":{"app":"com.example.app","limit":10}}"#,
        ] {
            #expect(page.contains(part), "\(part)")
        }
        let status = Session(["help", "status"]).output
        #expect(status.contains(#"--> {"jsonrpc":"2.0","id":1,"method":"status"}"#))
        #expect(!status.contains("Errors:"))
        #expect(Session(["help", "shutdown"]).output.contains("Result: {}\n        Then the daemon drains.\n"))
    }

    @Test("a name that is not there suggests the one that was meant")
    func unknown() {
        let session = Session(["help", "simulateLaunhc"])
        #expect(session.status == .usage)
        #expect(session.errors.contains("simulate"))
    }

    @Test("the version is one line")
    func version() {
        #expect(Session(["--version"]).output == "runnerctl \(ControlDescription.version)\n")
    }

    @Test(
        "commands beside the methods are promised, and need no more than a daemon", arguments: ["timeline", "progress"])
    func promised(word: String) {
        #expect(Session([word]).status == .noDaemon)
        #expect(Session(["--help"]).output.contains("  \(word) "))
        #expect(Session([word, "--help"]).output.contains("runnerctl \(word)"))
    }
}
