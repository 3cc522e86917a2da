import Platform
import RPC
import Scheduling

/// The daemon itself.
extension ControlHandlers {
    static let daemonRows: [Row] = [
        Row(
            ControlMethods.discover,
            ControlHandler(needsStore: false) { (call, service, _) throws(RPCError) in
                service.answer(call) { writer in writer.raw(Discovery.document) }
            }),
        Row(
            ControlMethods.hello,
            ControlHandler(needsStore: false) { (call, service, engine) throws(RPCError) in
                try call.params.checkProtocols()
                let (limits, user) = (service.limits, service.user(of: call))
                service.answer(call) { writer in
                    writer.object { writer in
                        writer.member("protocol", ControlMethods.protocolVersion)
                        writer.member("server", "runnerd")
                        writer.member("version", engine.options.version)
                        writer.member("capabilities", strings: Discovery.capabilities)
                        writer.key("limits")
                        writer.value(limits)
                        writer.member("user", user.map { Int($0) })
                        writer.member("access", call.access.name)
                        writer.member("instance", engine.instance)
                    }
                }
            }),
        read(ControlMethods.status, needsStore: false) { call, engine, writer in
            writer.object { writer in engine.writeStatus(into: &writer) }
        },
        read(ControlMethods.doctor, needsStore: false) { call, engine, writer in
            let findings = engine.findings()
            writer.object { writer in writer.member("findings", findings) }
        },
        change(ControlMethods.pause) { (call, _) throws(RPCError) in
            let app = try call.params.optionalAppIdentifier()
            return { .paused(app: app, call: $0) }
        } answer: { _, call, service, _ in
            service.answer(call) { writer in writer.object { writer in writer.member("paused", true) } }
        },
        change(ControlMethods.resume) { (call, _) throws(RPCError) in
            let app = try call.params.optionalAppIdentifier()
            return { .resumed(app: app, call: $0) }
        } answer: { _, call, service, _ in
            service.answer(call) { writer in writer.object { writer in writer.member("paused", false) } }
        },
        Row(
            ControlMethods.reload,
            ControlHandler { (call, service, engine) throws(RPCError) in
                engine.reload()
                answerDurably(call, service, engine) { writer in
                    writer.object { writer in
                        writer.member("apps", engine.scheduler.appCount)
                        writer.member("findings", engine.findings())
                    }
                }
            }),
        Row(
            ControlMethods.storeAcknowledge,
            ControlHandler { (call, service, engine) throws(RPCError) in
                engine.ask(isWanted: { service.isConnected(call) }) { (store) throws(StoreFailure) in
                    try store.acknowledgeRecovery()
                    return store.report()
                } _: { result, engine in
                    service.answer(call) { (writer) throws(RPCError) in
                        switch result {
                        case .failure(let failure): throw .storeUnavailable(failure)
                        case .success(let report):
                            engine.storeReport = report
                            writer.object { writer in engine.writeStore(into: &writer) }
                        }
                    }
                }
            }),
        Row(
            ControlMethods.shutdown,
            ControlHandler(needsStore: false) { (call, service, engine) throws(RPCError) in
                service.answer(call) { writer in writer.object { _ in } }
                engine.drain(grace: call.params.duration("graceSeconds"))
            }),
    ]
}

extension Engine {
    /// Names this life of the daemon: the boot, the process and the start.
    var instance: String {
        "\(options.start.bootIdentifier.text.prefix(8))-\(ProcessIdentity.current)-\(startedAt.milliseconds)"
    }

    func writeStatus(into writer: inout JSONWriter) {
        let counts = takeCounts()
        writer.member("version", options.version)
        writer.member("pid", Int(ProcessIdentity.current))
        writer.member("phase", scheduler.phase.rawValue)
        writer.member("startedAt", date: startedAt.milliseconds)
        writer.member("recovered", scheduler.recovered?.rawValue)
        writer.member("policy", scheduler.policy.name)
        writer.member("limits", scheduler.policy.limits.name)
        writer.member("apps", counts.apps)
        writer.member("registered", counts.registered)
        writer.member("pending", counts.pending)
        writer.member("running", counts.running)
        writer.member("paused", counts.isPaused)
        writer.member("simulation", options.simulation)
        writer.key("store")
        writer.object { writer in writeStore(into: &writer) }
    }

    func writeStore(into writer: inout JSONWriter) {
        writer.member("state", storeFailure == nil ? "ready" : "unavailable")
        writer.member("failure", storeFailure?.message)
        writer.member("path", storeReport.path)
        writer.member("schemaVersion", storeReport.schemaVersion)
        if let recovered = storeReport.recovered {
            writer.key("recovered")
            writer.object { writer in
                writer.member("at", date: recovered.at.milliseconds)
                writer.member("setAside", recovered.setAside)
                writer.member("reason", recovered.reason)
            }
        }
    }
}

extension JSONWriter {
    mutating func value(_ limits: ConnectionLimits) {
        beginObject()
        member("lineBytes", limits.lineBytes)
        member("depth", limits.depth)
        member("batchRequests", limits.batchRequests)
        member("unansweredRequests", limits.unansweredRequests)
        member("subscriptions", limits.subscriptions)
        member("connections", limits.connections)
        member("connectionsPerUser", limits.connectionsPerUser)
        member("outputStallSeconds", seconds: limits.outputStallMilliseconds)
        endObject()
    }
}
