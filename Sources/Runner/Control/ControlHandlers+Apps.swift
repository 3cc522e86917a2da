import Platform
import RPC
import Scheduling

/// Apps and their handlers.
extension ControlHandlers {
    static let appRows: [Row] = [
        read(ControlMethods.apps) { _, engine, writer in
            let apps = engine.scheduler.allApps
            let diagnostics = engine.diagnosticsByApp()
            let now = engine.clock.now()
            writer.object { writer in
                writer.key("apps")
                writer.array { writer in
                    for app in apps {
                        writer.value(
                            app, bundle: engine.directory?.bundlePath(of: app.app), process: app.process,
                            restarts: app.restarts, startsAgainAt: app.startsAgain(after: now),
                            diagnostics: diagnostics[app.app] ?? [])
                    }
                }
            }
        },
        read(ControlMethods.registered) { _, engine, writer in
            let registered = engine.scheduler.registered
            writer.object { writer in
                writer.key("identifiers")
                writer.array { writer in
                    for entry in registered { writer.value(entry) }
                }
            }
        },
        appRow(ControlMethods.appOpened) { app, _ in { .appOpened(app, call: $0) } },
        appRow(ControlMethods.appForceQuit) { app, _ in { .appForceQuit(app, call: $0) } },
        appRow(ControlMethods.appSetRefresh) { app, params in
            let enabled = params.bool("enabled") ?? true
            return { .refreshSwitched(app, enabled: enabled, call: $0) }
        },
        appRow(ControlMethods.appResume) { app, _ in { .quarantineLifted(app, call: $0) } },
    ]

    private static func appRow(
        _ method: MethodDescription,
        _ event: @escaping @Sendable (AppIdentifier, ParameterReader) -> (CallIdentifier) -> Event
    ) -> Row {
        change(method) { (call, _) throws(RPCError) in
            event(try call.params.appIdentifier(), call.params)
        } answer: { _, call, service, _ in
            let name = call.params.string("app")
            service.answer(call) { writer in writer.object { writer in writer.member("app", name) } }
        }
    }
}

extension Engine {
    /// The newest diagnostics about the tasks of each app, oldest first.
    fileprivate func diagnosticsByApp() -> [AppIdentifier: [Diagnostic]] {
        let shown = 10
        let owners = Dictionary(
            scheduler.registered.map { ($0.identifier, $0.app) }, uniquingKeysWith: { first, _ in first })
        let known = Dictionary(grouping: recentDiagnostics.all) { diagnostic in
            diagnostic.app ?? diagnostic.identifier.flatMap { owners[$0] }
        }
        return known.reduce(into: [:]) { apps, entry in
            if let app = entry.key { apps[app] = entry.value.suffix(shown) }
        }
    }
}

extension Scheduler.App {
    /// When its process may be started again, if that is ahead.
    fileprivate func startsAgain(after now: Moment) -> WallTime? {
        guard facts.quarantinedAt == nil, let startsAgainAt, startsAgainAt > now.boot else { return nil }
        return now.wall.advanced(by: now.boot.duration(to: startsAgainAt))
    }

    /// The one process that its handlers are in; a command has a process of its own for each run.
    fileprivate var process: Int32? {
        switch description?.host {
        case .embedded: ProcessIdentity.current
        case .process: facts.process?.group
        case .commands, nil: nil
        }
    }
}
