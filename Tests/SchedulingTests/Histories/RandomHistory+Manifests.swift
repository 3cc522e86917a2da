import Scheduling

/// The apps of random histories: few identifiers, so that much happens to each.
extension RandomHistory {
    static let refresh = Fixture.task("refresh")
    static let sync = Fixture.task("sync")
    static let render = Fixture.task("jobs.render")
    static let backup = Fixture.tool("backup")
    static let report = Fixture.tool("report")
    static let identifiers = [refresh, sync, render, backup, report, pull, index, live]

    static let handlers: [(TaskIdentifier, TaskKind?)] = [
        (refresh, nil), (sync, .processing), (render, .continuedProcessing),
    ]

    /// The embedded app; its second manifest no longer permits one identifier.
    static func embedded(_ version: Int) -> AppDescription {
        embeddedVersions[version]
    }

    static func commands(_ version: Int) -> AppDescription {
        commandVersions[version]
    }

    private static let embeddedVersions = [
        Fixture.embedded(
            ["refresh", "sync"],
            tasks: [TaskSettings(identifier: sync, kind: .processing, every: .minutes(10))]),
        Fixture.embedded(["refresh"], hash: "2"),
    ]

    private static let commandVersions = [
        Fixture.commands([
            Fixture.command("backup", kind: .processing, every: .minutes(5), retries: true, needsPower: true),
            Fixture.command("report"),
        ]),
        Fixture.commands([Fixture.command("backup", kind: .processing, every: .minutes(5))], hash: "2"),
    ]

    static func short(_ change: StoreChange) -> String {
        switch change {
        case .putRequest(let request): "put \(request.identifier) #\(request.submission) by \(request.maker)"
        case .removeRequest(let identifier): "remove \(identifier)"
        case .putRun(let run): "put run \(run.run.number) \(run.state) #\(run.request.submission)"
        case .putTask(let facts): "put facts \(facts)"
        case .removeTask(let identifier): "remove facts \(identifier)"
        case .putApp(let facts): "put app \(facts.app)"
        case .putRunner: "put runner"
        case .appendDeviceChange(let change): "\(change.condition) is \(change.value, default: "unknown")"
        }
    }

    static func short(_ reply: Reply) -> String {
        switch reply {
        case .submitted(let result): "\(result.outcome) #\(result.request.submission)"
        case .cancelled(let request): "cancelled #\(request?.submission ?? 0)"
        case .cancelledAll(let count): "cancelled \(count)"
        case .run(let run): "run \(run.run.number) \(run.state)"
        case .accepted(let accepted): "accepted \(accepted)"
        case .done: "done"
        case .refused(let refusal): "refused \(refusal.kind)"
        }
    }
}
