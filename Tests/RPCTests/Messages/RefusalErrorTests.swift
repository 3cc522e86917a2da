import RPC
import Scheduling
import Testing

struct RefusalErrorTests {
    private func error(_ error: RPCError) -> String {
        Samples.text { error.write(into: &$0) }
    }

    @Test(
        "every refusal has the code of the contract",
        arguments: [
            (Refusal.Kind.unavailable, 1), (.tooManyPendingTaskRequests, 2), (.notPermitted, 3),
            (.immediateRunIneligible, 4), (.notRegistered, 10), (.noPendingRequest, 11), (.alreadyRunning, 12),
            (.notRunning, 13), (.invalidIdentifier, 14), (.invalidDate, 14), (.backgroundModeMissing, 15),
            (.noSuchRun, 16), (.noSuchApp, 16), (.noSuchSubscription, 16), (.registrationClosed, 17),
            (.alreadyRegistered, 17), (.wildcardRegistration, 17), (.kindMismatch, 18), (.launchFailed, 19),
            (.appMissing, 19), (.simulationDisabled, 20), (.accessDenied, 21), (.limitExceeded, 22),
            (.storeUnavailable, 23), (.resyncRequired, 24), (.timedOut, 24), (.draining, 24), (.invalidParams, -32_602),
        ])
    func codes(kind: Refusal.Kind, code: Int) {
        let error = RPCError(Refusal(kind, "No."))
        #expect(error.code == code)
        #expect(error.kind == kind.rawValue)
        #expect(error.message == "No.")
    }

    @Test("the table of codes leaves no refusal out")
    func completeness() {
        #expect(Refusal.Kind.allCases.count == 28)
    }

    @Test("data carries what is known, and nothing else")
    func data() throws {
        #expect(
            error(RPCError(Refusal(.notRunning, "No."))) == #"{"code":13,"message":"No.","data":{"kind":"notRunning"}}"#
        )
        let refusal = Refusal(.notPermitted, "No.", nearest: "com.example.a", related: ["x", "y"])
        #expect(
            error(RPCError(refusal))
                == #"{"code":3,"message":"No.","data":{"kind":"notPermitted","nearest":"com.example.a","related":["x","y"]}}"#
        )
    }

    @Test("a run goes along whole, with what it has left")
    func run() throws {
        let run = try Samples.run(full: false)
        let written = Samples.text { $0.value(run, remaining: .seconds(4)) }
        let refusal = Refusal(.launchFailed, "No.", run: run)
        #expect(
            error(RPCError(refusal, remaining: .seconds(4)))
                == #"{"code":19,"message":"No.","data":{"kind":"launchFailed","run":\#(written)}}"#)
        let timedOut = RPCError.timedOut(run, remaining: .seconds(4))
        #expect(timedOut.kind == "timedOut")
        #expect(error(timedOut).hasSuffix(#","data":{"kind":"timedOut","run":\#(written)}}"#))
    }

    @Test("a passed limit is named")
    func limit() {
        #expect(error(RPCError(Refusal(.limitExceeded, "No."))).contains(#""limit":"onDemandRegistrations""#))
    }

    @Test("the errors that methods make themselves say what to do")
    func ownErrors() {
        #expect(RPCError.noSuchRun(RunIdentifier(9)).code == 16)
        #expect(RPCError.noSuchRun(RunIdentifier(9)).message.contains("run 9"))
        #expect(RPCError.simulationDisabled(method: "simulateLaunch").code == 20)
        #expect(RPCError.storeUnavailable(StoreFailure(.full, "Make room.")).message == "Make room.")
    }
}
