import RPC
import Scheduling

/// Apps and their handlers.
extension ControlHandlers {
    static let appRows: [Row] = [
        read(ControlMethods.apps) { _, engine, writer in
            let apps = engine.scheduler.allApps
            writer.object { writer in
                writer.key("apps")
                writer.array { writer in
                    for app in apps { writer.value(app, bundle: engine.directory?.bundlePath(of: app.app)) }
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
