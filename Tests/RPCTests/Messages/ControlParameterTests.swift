import RPC
import Scheduling
import Testing

struct ControlParameterTests {
    private func reader(_ method: MethodDescription, _ params: String) throws -> ParameterReader {
        try ParameterReader(JSONDocument.parse(Array(params.utf8)).root, for: method)
    }

    private func error(_ body: () throws -> Void) -> RPCError? {
        #expect(throws: RPCError.self) { try body() }
    }

    private func member(_ error: RPCError?) throws -> String? {
        let text = Samples.text { error?.write(into: &$0) }
        return try JSONDocument.parse(Array(text.utf8)).root["data"]?["member"]?.string
    }

    @Test("a submission reads the same by name and by position")
    func submission() throws {
        let byName = try reader(
            ControlMethods.submit,
            """
            {"identifier":"com.example.a","kind":"processing","earliestBeginDate":"2026-11-30T09:45:00+01:00",
             "requiresNetworkConnectivity":true,"requiresExternalPower":true,"title":"T","subtitle":"S",
             "strategy":"queue","ifPending":"keepEarlier","toleranceSeconds":2.5}
            """
        ).submission()
        let byPosition = try reader(
            ControlMethods.submit,
            """
            ["com.example.a","processing","2026-11-30T08:45:00Z",true,true,"T","S","queue","keepEarlier",2.5]
            """
        ).submission()
        #expect(byName == byPosition)
        #expect(
            byName.request
                == TaskRequest(
                    identifier: try TaskIdentifier("com.example.a"), kind: .processing, floor: Samples.moment,
                    requiresNetworkConnectivity: true, requiresExternalPower: true, title: "T", subtitle: "S",
                    strategy: .queue))
        #expect(byName.options == SubmissionOptions(ifPending: .keepEarlier, tolerance: .milliseconds(2_500)))
    }

    @Test("a submission needs only its identifier, and null is as if it were not there")
    func plainSubmission() throws {
        for params in [#"{"identifier":"a","kind":null,"ifPending":null}"#, #"["a",null,null]"#] {
            let (request, options) = try reader(ControlMethods.submit, params).submission()
            #expect(request == TaskRequest(identifier: try TaskIdentifier("a")))
            #expect(options == SubmissionOptions())
        }
    }

    @Test(
        "an identifier that breaks the rules is its own error, not an ill-typed parameter",
        arguments: ["", "a..b", "a b"])
    func identifiers(text: String) throws {
        let error = error { _ = try reader(ControlMethods.explain, #"{"identifier":"\#(text)"}"#).taskIdentifier() }
        #expect(error?.code == 14)
        #expect(error?.kind == "invalidIdentifier")
        let appError = self.error {
            _ = try reader(ControlMethods.pause, #"{"app":"\#(text)"}"#).optionalAppIdentifier()
        }
        #expect(appError?.code == 14)
    }

    @Test(
        "what is ill-typed or out of range is refused by its name",
        arguments: [
            (ControlMethods.submit, #"{"identifier":"a","earliestBeginDate":"tomorrow"}"#, "earliestBeginDate"),
            (ControlMethods.submit, #"{"identifier":"a","kind":"refresh"}"#, "kind"),
            (ControlMethods.submit, #"{"identifier":"a","toleranceSeconds":-1}"#, "toleranceSeconds"),
            (ControlMethods.submit, #"{"identifier":"a","colour":1}"#, "colour"),
            (ControlMethods.submit, #"{"kind":"processing"}"#, "identifier"),
            (ControlMethods.pending, #"{"limit":0}"#, "limit"),
            (ControlMethods.pending, #"{"limit":1001}"#, "limit"),
            (ControlMethods.run, #"{"run":0}"#, "run"),
            (ControlMethods.run, #"{"run":1.5}"#, "run"),
            (ControlMethods.wait, #"{"run":1,"timeoutSeconds":1e300}"#, "timeoutSeconds"),
            (ControlMethods.status, #"[1]"#, "0"),
        ])
    func invalid(method: MethodDescription, params: String, name: String) throws {
        let error = error { _ = try reader(method, params) }
        #expect(error?.code == RPCError.invalidParamsCode)
        #expect(try member(error) == name)
    }

    @Test(
        "a tolerance that nothing would use is refused",
        arguments: ["", #","ifPending":"keep""#, #","ifPending":"replace""#])
    func uselessTolerance(ifPending: String) throws {
        let params = #"{"identifier":"a","toleranceSeconds":5\#(ifPending)}"#
        let error = error { _ = try reader(ControlMethods.submit, params).submission() }
        #expect(error?.code == RPCError.invalidParamsCode)
        #expect(try member(error) == "toleranceSeconds")
        #expect(error?.message.contains("set 'ifPending' to that") == true)
    }

    @Test("limits of pages are 100 by default and 1,000 at most")
    func limits() throws {
        #expect(try reader(ControlMethods.pending, "{}").limit() == 100)
        #expect(try reader(ControlMethods.pending, #"{"limit":1000}"#).limit() == 1_000)
        #expect(try reader(ControlMethods.pending, #"{"limit":1}"#).limit() == 1)
    }

    @Test("a cursor comes back as it went out, and anything else is refused", arguments: [0, 1, 4_096, Int64.max])
    func cursors(position: Int64) throws {
        let text = Cursor.text(position)
        #expect(try reader(ControlMethods.history, #"{"before":"\#(text)"}"#).cursor("before") == position)
        #expect(try reader(ControlMethods.history, "{}").cursor("before") == nil)
        for wrong in ["", "-1", "01", "x", "9223372036854775808"] {
            let error = error { _ = try reader(ControlMethods.history, #"{"before":"\#(wrong)"}"#).cursor("before") }
            #expect(try member(error) == "before")
        }
    }

    @Test("the place of a page of lines comes back as it went out, and anything else is refused")
    func places() throws {
        let text = Cursor.text(run: 7, offset: 4_096)
        let place = try reader(ControlMethods.log, #"{"run":7,"after":"\#(text)"}"#).place("after")
        #expect(place?.run == RunIdentifier(7))
        #expect(place?.offset == 4_096)
        #expect(try reader(ControlMethods.log, #"{"run":7}"#).place("after") == nil)
        for wrong in ["", "x", "1", "1.", "-1.5", "1.2.3", "9999999999999999999.1"] {
            let error = error { _ = try reader(ControlMethods.log, #"{"run":7,"after":"\#(wrong)"}"#).place("after") }
            #expect(try member(error) == "after")
        }
    }

    @Test("history asks for what it was given")
    func history() throws {
        let query = try reader(
            ControlMethods.history,
            #"{"identifier":"a","limit":5,"before":"9","origin":"simulated","state":"failed"}"#
        ).historyQuery()
        #expect(
            query
                == HistoryQuery(
                    identifier: try TaskIdentifier("a"), origin: .simulated, state: .failed, before: RunIdentifier(9),
                    limit: 5))
        #expect(try reader(ControlMethods.history, "{}").historyQuery() == HistoryQuery())
    }

    @Test("the device's history asks for what it was given")
    func deviceHistory() throws {
        let query = try reader(
            ControlMethods.deviceHistory, #"{"condition":"idle","limit":5,"before":"9"}"#
        ).deviceChangeQuery()
        #expect(query == DeviceChangeQuery(condition: .idle, before: 9, limit: 5))
        #expect(try reader(ControlMethods.deviceHistory, "{}").deviceChangeQuery() == DeviceChangeQuery())
        let error = error {
            _ = try reader(ControlMethods.deviceHistory, #"{"before":"later"}"#).deviceChangeQuery()
        }
        #expect(try member(error) == "before")
    }

    @Test("stop and log want to know what is meant")
    func targets() throws {
        #expect(try reader(ControlMethods.stop, #"{"run":4}"#).stopTarget().run == RunIdentifier(4))
        #expect(try reader(ControlMethods.stop, #"["a"]"#).stopTarget().identifier == TaskIdentifier("a"))
        #expect(error { _ = try reader(ControlMethods.stop, "{}").stopTarget() }?.code == RPCError.invalidParamsCode)
        #expect(try reader(ControlMethods.log, #"{"run":4}"#).logSource() == .run(RunIdentifier(4)))
        #expect(try reader(ControlMethods.log, #"{"app":"a"}"#).logSource() == .app(AppIdentifier("a")))
        #expect(error { _ = try reader(ControlMethods.log, "{}").logSource() }?.code == RPCError.invalidParamsCode)
        #expect(
            error { _ = try reader(ControlMethods.log, #"{"run":4,"app":"a"}"#).logSource() }?.code
                == RPCError.invalidParamsCode)
    }

    @Test("a simulated launch and expiration have the defaults of the contract")
    func simulation() throws {
        #expect(try reader(ControlMethods.simulateLaunch, #"["a"]"#).simulationOptions() == SimulationOptions())
        #expect(
            try reader(ControlMethods.simulateLaunch, #"["a",true,true]"#).simulationOptions()
                == SimulationOptions(submit: true, budget: true))
        #expect(try reader(ControlMethods.simulateExpiration, #"["a"]"#).expirationReason() == .simulated)
        #expect(try reader(ControlMethods.simulateExpiration, #"["a","budget"]"#).expirationReason() == .budget)
        #expect(try reader(ControlMethods.wait, #"[1,1.5]"#).timeout() == .milliseconds(1_500))
        #expect(try reader(ControlMethods.wait, "[1]").timeout() == nil)
    }

    @Test(
        "a condition takes the values that it can have",
        arguments: [
            ("externalPower", "false", ConditionValue.flag(false)), ("idle", "true", .flag(true)),
            ("batteryLevel", "0.5", .level(0.5)), ("batteryLevel", "1", .level(1)), ("batteryLevel", "0", .level(0)),
            ("network", #""metered""#, .network(.metered)), ("thermal", #""critical""#, .thermal(.critical)),
        ])
    func conditions(condition: String, value: String, expected: ConditionValue) throws {
        let read = try reader(
            ControlMethods.deviceOverride, #"{"condition":"\#(condition)","value":\#(value)}"#
        ).override()
        #expect(read.condition.rawValue == condition)
        #expect(read.value == expected)
    }

    @Test(
        "a condition refuses the values of others",
        arguments: [
            ("externalPower", "1"), ("externalPower", #""on""#), ("batteryLevel", "true"), ("batteryLevel", "1.01"),
            ("batteryLevel", "-0.01"), ("network", #""wifi""#), ("network", "true"), ("thermal", #""hot""#),
            ("idle", "null"), ("idle", "{}"),
        ])
    func wrongConditions(condition: String, value: String) throws {
        let params = #"{"condition":"\#(condition)","value":\#(value)}"#
        let error = error { _ = try reader(ControlMethods.deviceOverride, params).override() }
        #expect(error?.code == RPCError.invalidParamsCode)
        #expect(try member(error) == "value")
    }

    @Test("a source may say that it does not know")
    func reports() throws {
        let unknown = try reader(ControlMethods.deviceReport, #"["network",null,"script"]"#).report()
        #expect(unknown.condition == .network)
        #expect(unknown.value == nil)
        #expect(unknown.source == "script")
        #expect(
            try reader(ControlMethods.deviceReport, #"["network","none","script"]"#).report().value == .network(.none))
        let error = error { _ = try reader(ControlMethods.deviceReport, #"["network","none",""]"#).report() }
        #expect(try member(error) == "source")
    }

    @Test("hello refuses a caller with whom there is no common version")
    func protocols() throws {
        try reader(ControlMethods.hello, "{}").checkProtocols()
        try reader(ControlMethods.hello, #"{"client":"x","protocols":[2,1]}"#).checkProtocols()
        for wrong in ["[]", "[2]", "1", #"["1"]"#] {
            let error = error { try reader(ControlMethods.hello, #"{"protocols":\#(wrong)}"#).checkProtocols() }
            #expect(try member(error) == "protocols")
        }
    }
}
