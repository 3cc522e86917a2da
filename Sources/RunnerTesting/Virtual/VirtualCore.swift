import Platform
import Plugins
import Scheduling

/// The scheduler itself, in virtual time, and everything that it told.
struct VirtualCore {
    private(set) var scheduler: Scheduler
    private(set) var ended: [RunIdentifier: RunRecord] = [:]
    /// In the order in which they came.
    private(set) var endedOrder: [RunIdentifier] = []
    private(set) var diagnostics: [Diagnostic] = []
    private(set) var submissions: [SubmissionResult] = []
    /// Which run a diagnostic that came after its end belongs to.
    private(set) var lateDiagnostics: [RunIdentifier: [Diagnostic]] = [:]
    /// What has to be done, in order.
    var outbox: [Effect] = []
    var isPerforming = false
    private var nextCall: UInt64 = 1
    private(set) var latestRun: [TaskIdentifier: RunIdentifier] = [:]

    init(_ scheduler: Scheduler) {
        self.scheduler = scheduler
    }

    mutating func takeCall() -> CallIdentifier {
        defer { nextCall += 1 }
        return CallIdentifier(nextCall)
    }

    /// Takes in what happened; what has to be done goes into the outbox, but for the answers to calls.
    mutating func handle(_ event: Event, at now: Moment) -> [(CallIdentifier, Reply)] {
        var replies: [(CallIdentifier, Reply)] = []
        for effect in scheduler.handle(event, at: now) {
            switch effect {
            case .reply(let call, let reply): replies.append((call, reply))
            case .publish(let notice): note(notice)
            case .persist, .drained: break
            case .launch, .expire, .terminate, .startProcess, .endProcess: outbox.append(effect)
            }
        }
        return replies
    }

    var wakeup: Wakeup { scheduler.nextWakeup }

    /// The names of everything that is known of a run.
    func diagnosticNames(of run: RunIdentifier) -> [String] {
        var names: [String] = []
        let own = (ended[run] ?? scheduler.liveRun(run))?.diagnostics ?? []
        for name in (own + (lateDiagnostics[run] ?? [])).map(\.name.rawValue) where !names.contains(name) {
            names.append(name)
        }
        return names
    }

    // MARK: - Private

    private mutating func note(_ notice: Notice) {
        switch notice {
        case .submitted(let result): submissions.append(result)
        case .launched(let record): latestRun[record.identifier] = record.run
        case .claimed(let record): latestRun[record.identifier] = record.run
        case .ended(let record):
            if ended.updateValue(record, forKey: record.run) == nil { endedOrder.append(record.run) }
        case .diagnostic(let diagnostic):
            diagnostics.append(diagnostic)
            if let identifier = diagnostic.identifier, let run = latestRun[identifier], ended[run] != nil {
                lateDiagnostics[run, default: []].append(diagnostic)
            }
        case .refused, .refiled, .withdrawn, .progressed, .expiring, .gateChanged, .appStateChanged, .deviceChanged,
            .phaseChanged:
            break
        }
    }
}
