import Arguments
import RPC
import Testing

@testable import RunnerControl

struct ArgumentMappingTests {
    /// What arrives at the daemon.
    private func call(_ arguments: [String], result: String = "{}") throws -> FakeDaemon.Call {
        let daemon = FakeDaemon(result: result)
        let session = Session(arguments, daemon: daemon)
        #expect(session.status == .done, "\(session.errors)")
        return try #require(daemon.received.first)
    }

    @Test(
        "every method has a command whose words are its name, but for those of use only on a connection that stays",
        arguments: ControlMethods.all.map(\.name).filter { !$0.hasPrefix("events.") })
    func commands(name: String) throws {
        let command = try #require(MethodCommand.all.first { $0.method.name == name })
        #expect(ControlDescription.program.command(command.words) != nil)
        let letters = command.words.joined().filter { $0 != "-" }
        #expect(letters == name.lowercased().filter { $0 != "." })
    }

    @Test(
        "options and positions become params by name",
        arguments: [
            ("status", "status", ""),
            ("submit a", "submit", #"{"identifier":"a"}"#),
            (
                "submit a --kind app-refresh --network --power --title T --subtitle S --strategy queue "
                    + "--if-pending keep-earlier --tolerance 5s",
                "submit",
                #"{"identifier":"a","kind":"appRefresh","requiresNetworkConnectivity":true,"requiresExternalPower":true,"#
                    + #""title":"T","subtitle":"S","strategy":"queue","ifPending":"keepEarlier","toleranceSeconds":5}"#
            ),
            ("submit a --kind appRefresh", "submit", #"{"identifier":"a","kind":"appRefresh"}"#),
            (
                "submit a --earliest +15m", "submit",
                #"{"identifier":"a","earliestBeginDate":"2026-11-30T09:00:00.000Z"}"#
            ),
            ("cancel a", "cancel", #"{"identifier":"a"}"#),
            ("cancel-all", "cancelAll", ""),
            ("stop a", "stop", #"{"identifier":"a"}"#),
            ("stop --run 7", "stop", #"{"run":7}"#),
            ("pending a --limit 5 --after x", "pending", #"{"identifier":"a","limit":5,"after":"x"}"#),
            (
                "simulate-launch a --submit --budget --timeout 1m30s", "simulateLaunch",
                #"{"identifier":"a","submit":true,"budget":true,"timeoutSeconds":90}"#
            ),
            (
                "simulate-expiration a --reason condition-lost", "simulateExpiration",
                #"{"identifier":"a","reason":"conditionLost"}"#
            ),
            ("run 7", "run", #"{"run":7}"#),
            (
                "history --identifier a --limit 5 --before 9 --origin simulated --state failed", "history",
                #"{"identifier":"a","limit":5,"before":"9","origin":"simulated","state":"failed"}"#
            ),
            ("device clear", "device.clear", ""),
            ("device clear external-power", "device.clear", #"{"condition":"externalPower"}"#),
            (
                "device override external-power off --for 10m", "device.override",
                #"{"condition":"externalPower","value":false,"forSeconds":600}"#
            ),
            (
                "device override batteryLevel 0.25", "device.override",
                #"{"condition":"batteryLevel","value":0.25}"#
            ),
            (
                "device report network metered script --valid 1.5s", "device.report",
                #"{"condition":"network","value":"metered","source":"script","validSeconds":1.5}"#
            ),
            ("device report idle null s", "device.report", #"{"condition":"idle","value":null,"source":"s"}"#),
            ("app opened com.example", "app.opened", #"{"app":"com.example"}"#),
            ("app set-refresh com.example off", "app.setRefresh", #"{"app":"com.example","enabled":false}"#),
            ("log --run 3", "log", #"{"run":3}"#),
            ("shutdown --grace 5s", "shutdown", #"{"graceSeconds":5}"#),
            ("hello --client x --protocols [1]", "hello", #"{"client":"x","protocols":[1]}"#),
        ])
    func mapping(line: String, method: String, params: String) throws {
        let call = try call(line.split(separator: " ").map { String($0) })
        #expect(call == FakeDaemon.Call(method: method, params: params))
    }

    @Test("what cannot be meant is refused before a daemon is looked for, with what would be right")
    func refusals() {
        for (line, hint) in [
            ("submit a --earliest soon", "tomorrow 08:00"), ("submit a --tolerance 5x", "1h30m"),
            ("submit a --kind app-refersh", "app-refresh"), ("run x", "an integer"), ("run 0", "at least 1"),
            ("pending --limit 0", "from 1 to 1000"), ("app set-refresh a maybe", "on or off"),
            ("device override power off", "external-power"), ("statsu", "runnerctl status"),
            ("submit", "IDENTIFIER is missing"), ("submit a --earlest +5m", "--earliest"), ("app", "opened"),
            ("", "A command is missing"), ("simulate-launch a --timeout 2000d", "a duration"),
            ("stop", "IDENTIFIER, or the number of its run with --run"), ("stop --wait", "with --run"),
            ("log", "a run with --run, or an app with --app"), ("log --run 1 --app a", "exclude each other"),
            ("explain ??", "IDENTIFIER must be an identifier"), ("explain a..b", "empty component"),
            ("app opened ??", "APP must be"), ("history --identifier ??", "--identifier must be"),
            ("submit a --tolerance 5s", "only for --if-pending keep-earlier"),
            ("submit a --tolerance 5s --if-pending keep", "only for --if-pending keep-earlier"),
            ("device override network foo", "VALUE must be one of none, metered, unmetered for network"),
            ("device override batteryLevel 2", "VALUE must be a number from 0 to 1 for battery-level"),
            ("device override idle null", "one of on, off"),
            ("--limit 1 history", "“runnerctl history --limit 1”"),
            ("--json --limit=1 history --state failed", "“runnerctl history --json --limit=1 --state failed”"),
            ("--for 5m device override network none", "“runnerctl device override --for 5m network none”"),
        ] {
            let session = Session(line.split(separator: " ").map { String($0) })
            #expect(session.status == .usage, "\(line)")
            #expect(session.errors.contains(hint), "\(line): \(session.errors)")
            #expect(session.tried.isEmpty)
            #expect(session.output.isEmpty)
        }
    }

    @Test("call sends what it is given")
    func rawCall() throws {
        #expect(
            try call(["call", "explain", #"{"identifier": "a"}"#])
                == FakeDaemon.Call(method: "explain", params: #"{"identifier":"a"}"#))
        #expect(try call(["call", "x.y", "[1]"]) == FakeDaemon.Call(method: "x.y", params: "[1]"))
        let session = Session(["call", "explain", "{identifier: 1}"])
        #expect(session.status == .usage)
        #expect(session.errors.contains("PARAMS is no JSON"))
        #expect(try call(["call", "status", "null"]) == FakeDaemon.Call(method: "status", params: ""))
        for text in ["1", "\"a\"", "true"] {
            let session = Session(["call", "status", text])
            #expect(session.status == .usage)
            #expect(session.errors.contains("PARAMS must be an object"), "\(session.errors)")
        }
    }
}
