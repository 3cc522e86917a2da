import RPC
import Scheduling

/// Values with every member set, and the same with none of the optional ones.
enum Samples {
    static let moment = WallTime(milliseconds: 1_796_028_300_000)
    static let date = "2026-11-30T08:45:00.000Z"

    static func request(full: Bool) throws -> PendingRequest {
        var request = PendingRequest(
            identifier: try TaskIdentifier("com.example.refresh"), app: try AppIdentifier("com.example"),
            kind: .appRefresh, submittedAt: moment, submittedBoot: BootTime(milliseconds: 5),
            bootIdentifier: BootIdentifier("boot"), submission: 7)
        guard full else { return request }
        request.kind = .continuedProcessing
        request.floor = WallTime(milliseconds: moment.milliseconds + 500)
        request.requiresNetworkConnectivity = true
        request.requiresExternalPower = true
        request.title = "Export"
        request.subtitle = "12 files"
        request.strategy = .queue
        request.attempts = 2
        return request
    }

    static func run(full: Bool) throws -> RunRecord {
        var run = RunRecord(
            run: RunIdentifier(12), request: try request(full: full), origin: full ? .simulated : .scheduled,
            attempt: full ? 3 : 1, state: full ? .expired : .running, startedAt: moment,
            startedBoot: BootTime(milliseconds: 9))
        guard full else { return run }
        run.waitedMilliseconds = 1_500
        run.waits = [GateWait(gate: .network, milliseconds: 1_000), GateWait(gate: .concurrency, milliseconds: 500)]
        run.endedAt = WallTime(milliseconds: moment.milliseconds + 60_000)
        run.budgetMilliseconds = 30_000
        run.expiredAt = WallTime(milliseconds: moment.milliseconds + 30_000)
        run.expirationReason = .budget
        run.message = "too slow"
        run.progress = RunProgress(fraction: 0.25, title: "Export", subtitle: "3 files")
        run.exit = .signal(15)
        run.diagnostics = [try diagnostic(full: true)]
        return run
    }

    static func diagnostic(full: Bool) throws -> Diagnostic {
        var diagnostic = Diagnostic(.graceEnded, .warning, at: moment, message: "It did not end.")
        guard full else { return diagnostic }
        diagnostic.identifier = try TaskIdentifier("com.example.refresh")
        diagnostic.expected = "A completion."
        diagnostic.fix = "Complete sooner."
        return diagnostic
    }

    /// What a writer makes of something.
    static func text(_ body: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        body(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
