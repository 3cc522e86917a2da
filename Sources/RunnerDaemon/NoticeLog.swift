import Scheduling
import SystemPlatform

/// Writes what the scheduler tells observers into the log, one line each.
struct NoticeLog {
    let log: SystemLog

    func write(_ notice: Notice) {
        switch notice {
        case .submitted(let result):
            write(.debug, "request \(result.outcome.rawValue)\(floor(of: result.request))", result.request.identifier)
        case .refused(let refusal, let identifier):
            write(.notice, "submission refused: \(refusal.message)", identifier, ["KIND": refusal.kind.rawValue])
        case .refiled(let request, let cause): write(.debug, "request \(cause.rawValue)", request.identifier)
        case .withdrawn(let request, let cause): write(.info, "request \(cause.rawValue)", request.identifier)
        case .claimed, .gateChanged: break
        case .launched(let run): write(.info, "run \(run.run.number) started (\(run.origin.rawValue))", run)
        case .progressed: break
        case .expiring(let run):
            write(.notice, "run \(run.run.number) is expired: \(run.expirationReason?.rawValue ?? "")", run)
        case .ended(let run):
            let message = run.message.map { ": \($0)" } ?? ""
            let level: LogLevel = run.state == .succeeded ? .info : .warning
            write(level, "run \(run.run.number) ended as \(run.state.rawValue)\(message)", run)
        case .diagnostic(let diagnostic): write(diagnostic)
        case .appStateChanged(let app, let state): write(.debug, "app \(app) is \(state.rawValue)", nil)
        case .deviceChanged(let change):
            write(.info, "\(change.condition.rawValue) is \(change.words), says \(change.source)", nil)
        case .phaseChanged(let phase): write(.notice, "the runner is \(phase.rawValue)", nil)
        }
    }

    private func floor(of request: PendingRequest) -> String {
        request.floor.map { " not before \($0.milliseconds)" } ?? ""
    }

    private func write(_ diagnostic: Diagnostic) {
        let level: LogLevel =
            switch diagnostic.severity {
            case .error: .error
            case .warning: .warning
            case .notice: .notice
            }
        let fix = diagnostic.fix.map { " \($0)" } ?? ""
        write(
            level, "\(diagnostic.name.rawValue): \(diagnostic.message)\(fix)", diagnostic.identifier,
            ["DIAGNOSTIC": diagnostic.name.rawValue])
    }

    private func write(_ level: LogLevel, _ message: @autoclosure () -> String, _ run: RunRecord) {
        write(level, message(), run.identifier, ["RUN": String(run.run.number)])
    }

    /// The message and the fields are made only when somebody will read them.
    private func write(
        _ level: LogLevel, _ message: @autoclosure () -> String, _ identifier: TaskIdentifier?,
        _ fields: @autoclosure () -> [String: String] = [:]
    ) {
        guard log.isEnabled(level) else { return }
        var fields = fields()
        if let identifier { fields["TASK"] = identifier.text }
        log.log(level, message(), fields: fields)
    }
}

extension DeviceChange {
    /// The value, for people.
    fileprivate var words: String {
        switch value {
        case .flag(let flag): String(flag)
        case .level(let level): String(level)
        case .network(let network): network.rawValue
        case .thermal(let thermal): thermal.rawValue
        case nil: "unknown"
        }
    }
}
