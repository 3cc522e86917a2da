package import Scheduling

/// The shapes of runs on the control socket.
extension JSONWriter {
    /// A run; `remaining` is what it has left of its budget or grace, while that is known.
    package mutating func value(_ run: RunRecord, remaining: Duration? = nil) {
        let request = run.request
        beginObject()
        member("run", run.run.number)
        member("identifier", request.identifier.text)
        member("app", request.app.text)
        member("kind", request.kind.rawValue)
        member("origin", run.origin.rawValue)
        member("attempt", run.attempt)
        member("earliestBeginDate", date: request.floor?.milliseconds)
        member("submission", request.submission)
        member("waitedSeconds", seconds: run.waitedMilliseconds)
        key("waits")
        beginArray()
        for wait in run.waits { value(wait) }
        endArray()
        member("state", run.state.rawValue)
        member("submittedAt", date: request.submittedAt.milliseconds)
        member("startedAt", date: run.startedAt.milliseconds)
        member("endedAt", date: run.endedAt?.milliseconds)
        member("budgetSeconds", seconds: run.budgetMilliseconds)
        member("remainingSeconds", seconds: remaining?.wholeMilliseconds)
        member("expiredAt", date: run.expiredAt?.milliseconds)
        member("expirationReason", run.expirationReason?.rawValue)
        member("message", run.message)
        // Continued processing has its title before it has said anything (B29).
        if let progress = run.progress ?? (request.kind == .continuedProcessing ? RunProgress(fraction: 0) : nil) {
            key("progress")
            value(progress, of: request)
        }
        if let exit = run.exit {
            key("exit")
            value(exit)
        }
        member("diagnostics", run.diagnostics)
        endObject()
    }

    package mutating func member(_ name: StaticString, _ run: RunRecord?, remaining: Duration? = nil) {
        guard let run else { return }
        key(name)
        value(run, remaining: remaining)
    }

    /// Ended runs, or others whose remaining time does not matter.
    package mutating func member(_ name: StaticString, _ runs: [RunRecord]) {
        key(name)
        beginArray()
        for run in runs { value(run) }
        endArray()
    }

    package mutating func value(_ exit: ProcessExit) {
        beginObject()
        switch exit {
        case .code(let code): member("code", Int(code))
        case .signal(let signal): member("signal", Int(signal))
        }
        endObject()
    }

    // MARK: Private

    private mutating func value(_ wait: GateWait) {
        beginObject()
        member("gate", wait.gate.rawValue)
        member("seconds", seconds: wait.milliseconds)
        endObject()
    }

    /// A run that names nothing of its own goes on under the words of its request.
    private mutating func value(_ progress: RunProgress, of request: PendingRequest) {
        beginObject()
        member("fraction", progress.fraction)
        member("title", progress.title ?? request.title ?? "")
        member("subtitle", progress.subtitle ?? request.subtitle ?? "")
        endObject()
    }
}
