import RPC
import Scheduling
import Testing

struct MessageShapeTests {
    @Test("a request with everything has every member of the contract, in its order")
    func fullRequest() throws {
        let request = try Samples.request(full: true)
        #expect(
            Samples.text { $0.value(request) }
                == #"{"identifier":"com.example.refresh","kind":"continuedProcessing","#
                + #""earliestBeginDate":"2026-11-30T08:45:00.500Z","requiresNetworkConnectivity":true,"#
                + #""requiresExternalPower":true,"title":"Export","subtitle":"12 files","strategy":"queue","#
                + #""app":"com.example","submittedAt":"2026-11-30T08:45:00.000Z","submission":7,"attempts":2}"#)
    }

    @Test("what a request does not have is left out, not null")
    func plainRequest() throws {
        let request = try Samples.request(full: false)
        #expect(
            Samples.text { $0.value(request) }
                == #"{"identifier":"com.example.refresh","kind":"appRefresh","requiresNetworkConnectivity":false,"#
                + #""requiresExternalPower":false,"app":"com.example","submittedAt":"2026-11-30T08:45:00.000Z","#
                + #""submission":7,"attempts":0}"#)
    }

    @Test("a run with everything has every member of the contract, in its order")
    func fullRun() throws {
        let run = try Samples.run(full: true)
        #expect(
            Samples.text { $0.value(run, remaining: .milliseconds(2_500)) }
                == #"{"run":12,"identifier":"com.example.refresh","app":"com.example","kind":"continuedProcessing","#
                + #""origin":"simulated","attempt":3,"earliestBeginDate":"2026-11-30T08:45:00.500Z","submission":7,"#
                + #""waitedSeconds":1.5,"waits":[{"gate":"network","seconds":1},{"gate":"concurrency","seconds":0.5}],"#
                + #""state":"expired","submittedAt":"2026-11-30T08:45:00.000Z","startedAt":"2026-11-30T08:45:00.000Z","#
                + #""endedAt":"2026-11-30T08:46:00.000Z","budgetSeconds":30,"remainingSeconds":2.5,"#
                + #""expiredAt":"2026-11-30T08:45:30.000Z","expirationReason":"budget","message":"too slow","#
                + #""progress":{"fraction":0.25,"title":"Export","subtitle":"3 files"},"exit":{"signal":15},"#
                + #""diagnostics":[{"name":"graceEnded","severity":"warning","at":"2026-11-30T08:45:00.000Z","#
                + #""identifier":"com.example.refresh","message":"It did not end.","expected":"A completion.","#
                + #""fix":"Complete sooner."}]}"#)
    }

    @Test("what a run does not have is left out, and its lists are empty")
    func plainRun() throws {
        let run = try Samples.run(full: false)
        #expect(
            Samples.text { $0.value(run) }
                == #"{"run":12,"identifier":"com.example.refresh","app":"com.example","kind":"appRefresh","#
                + #""origin":"scheduled","attempt":1,"submission":7,"waitedSeconds":0,"waits":[],"state":"running","#
                + #""submittedAt":"2026-11-30T08:45:00.000Z","startedAt":"2026-11-30T08:45:00.000Z","diagnostics":[]}"#)
    }

    @Test("progress without words of its own goes under those of the request")
    func progressTitles() throws {
        var run = try Samples.run(full: false)
        run.progress = RunProgress(fraction: 1)
        #expect(Samples.text { $0.value(run) }.contains(#""progress":{"fraction":1,"title":"","subtitle":""}"#))
        run.request.title = "Export"
        #expect(Samples.text { $0.value(run) }.contains(#""progress":{"fraction":1,"title":"Export","subtitle":""}"#))
    }

    @Test("continued processing is at its beginning, under the words of its request, until it says more (B29)")
    func progressAtTheBeginning() throws {
        var run = try Samples.run(full: false)
        run.request.title = "Export"
        #expect(!Samples.text { $0.value(run) }.contains("progress"))
        run.request.kind = .continuedProcessing
        run.request.subtitle = "12 files"
        #expect(
            Samples.text { $0.value(run) }.contains(
                #""progress":{"fraction":0,"title":"Export","subtitle":"12 files"}"#))
    }

    @Test("an exit is a code or a signal")
    func exits() {
        #expect(Samples.text { $0.value(.code(3)) } == #"{"code":3}"#)
        #expect(Samples.text { $0.value(.signal(9)) } == #"{"signal":9}"#)
    }

    @Test("a submission says what it did and what was there")
    func submission() throws {
        let request = try Samples.request(full: false)
        let plain = SubmissionResult(outcome: .submitted, request: request)
        let full = SubmissionResult(outcome: .replaced, request: request, previous: request, postponed: 2)
        let written = Samples.text { $0.value(request) }
        #expect(Samples.text { $0.value(plain) } == #"{"outcome":"submitted","request":\#(written)}"#)
        #expect(
            Samples.text { $0.value(full) }
                == #"{"outcome":"replaced","request":\#(written),"previous":\#(written),"postponed":2}"#)
    }

    @Test("a gate has its optional members only when they are known")
    func gates() {
        let open = Gate(.network, .open, detail: "there is a network")
        let closed = Gate(
            .earliestBeginDate, .closed, since: Samples.moment, opensAt: Samples.moment, source: "request",
            detail: "not yet")
        #expect(
            Samples.text { $0.value(open) } == #"{"gate":"network","verdict":"open","detail":"there is a network"}"#)
        #expect(
            Samples.text { $0.value(closed) }
                == #"{"gate":"earliestBeginDate","verdict":"closed","since":"2026-11-30T08:45:00.000Z","#
                + #""opensAt":"2026-11-30T08:45:00.000Z","source":"request","detail":"not yet"}"#)
    }

    @Test("a finding names whom it is about")
    func findings() throws {
        let plain = Finding(.error, "storeUnavailable", message: "Full.", fix: "Make room.")
        let about = Finding(
            .warning, "stranded", app: try AppIdentifier("com.example"),
            identifier: try TaskIdentifier("com.example.a"),
            message: "No handler.", fix: "Register one.")
        #expect(
            Samples.text { $0.value(plain) }
                == #"{"severity":"error","name":"storeUnavailable","message":"Full.","fix":"Make room."}"#)
        #expect(
            Samples.text { $0.value(about) }
                == #"{"severity":"warning","name":"stranded","app":"com.example","identifier":"com.example.a","#
                + #""message":"No handler.","fix":"Register one."}"#)
    }

    @Test("an explanation's diagnostics say how many of their name there were")
    func counted() throws {
        let now = Moment(wall: Samples.moment, boot: BootTime(milliseconds: 0), awake: AwakeTime(milliseconds: 0))
        var explanation = Scheduler(policy: .prompt, boot: BootIdentifier("boot"), at: now)
            .explain(try TaskIdentifier("com.example.refresh"), at: now)
        let diagnostic = Diagnostic(.postponed, .warning, at: Samples.moment, message: "Again.")
        explanation.add([diagnostic, diagnostic])
        #expect(
            Samples.text { $0.value(explanation) }.hasSuffix(
                #","diagnostics":[{"name":"postponed","severity":"warning","at":"2026-11-30T08:45:00.000Z","#
                    + #""message":"Again.","count":2}]}"#))
    }

    @Test("an explanation carries the last run, which the store knew")
    func explanation() throws {
        let run = try Samples.run(full: true)
        let scheduler = Scheduler(
            policy: .prompt, boot: BootIdentifier("boot"),
            at: Moment(wall: Samples.moment, boot: BootTime(milliseconds: 0), awake: AwakeTime(milliseconds: 0)))
        let explanation = scheduler.explain(
            try TaskIdentifier("com.example.refresh"),
            at: Moment(wall: Samples.moment, boot: BootTime(milliseconds: 0), awake: AwakeTime(milliseconds: 0)))
        let text = Samples.text { $0.value(explanation, lastRun: run) }
        #expect(text.hasPrefix(#"{"identifier":"com.example.refresh","status":"notPermitted","summary":""#))
        #expect(text.contains(#","gates":[],"lastRun":{"run":12,"#))
        #expect(text.hasSuffix(#","diagnostics":[]}"#))
        #expect(!Samples.text { $0.value(explanation) }.contains("lastRun"))
    }

    @Test("the device is an object with a member per condition, and what is unknown is null")
    func device() {
        let readings = [
            ConditionReading(
                condition: .batteryLevel, value: .level(0.5), source: "kernel", since: Samples.moment, overridden: false
            ),
            ConditionReading(condition: .network, value: nil, source: "netlink (lost)", since: nil, overridden: false),
            ConditionReading(
                condition: .thermal, value: .thermal(.serious), source: "override", since: nil, overridden: true,
                until: Samples.moment),
            ConditionReading(condition: .idle, value: .flag(true), source: "assumed", since: nil, overridden: false),
        ]
        #expect(
            Samples.text { $0.value(readings) }
                == #"{"batteryLevel":{"value":0.5,"source":"kernel","since":"2026-11-30T08:45:00.000Z","overridden":false},"#
                + #""network":{"value":null,"source":"netlink (lost)","overridden":false},"#
                + #""thermal":{"value":"serious","source":"override","overridden":true,"#
                + #""until":"2026-11-30T08:45:00.000Z"},"#
                + #""idle":{"value":true,"source":"assumed","overridden":false}}"#)
    }
}
