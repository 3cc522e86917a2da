import RPC
import Scheduling

/// Events, and a look inside.
extension ControlHandlers {
    static let eventRows: [Row] = [
        Row(
            ControlMethods.eventsSubscribe,
            ControlHandler(needsStore: false) { (call, service, engine) throws(RPCError) in
                // Nobody would learn the number of the subscription.
                guard call.token != nil, service.admitsSubscription(call) else { return }
                let filter = EventFilter(
                    types: try call.params.eventTypes(), identifiers: try call.params.eventIdentifiers())
                let since = try call.params.eventPlace()
                if let since, since.instance != engine.instance {
                    throw .resyncRequired(
                        since: nil, instance: engine.instance, sequence: engine.events.sequence,
                        oldest: engine.events.oldestPlace)
                }
                var snapshot: [UInt8]?
                if call.params.bool("snapshot") == true {
                    try engine.requireStore()
                    snapshot = try engine.snapshot(of: filter.identifiers)
                }
                // Nothing more of this client is served until it has subscribed: snapshots would pile up.
                service.hold(service.limits.outputBytes, for: call)
                // Behind the events of what is not durable yet, so that the snapshot and the number belong together.
                engine.afterDurable { [snapshot] failure in
                    service.release(service.limits.outputBytes, for: call)
                    if snapshot != nil, let failure {
                        service.answer(call, error: .storeUnavailable(failure))
                        return
                    }
                    engine.assumeIsolated { service.subscribe(call, filter, since: since, snapshot: snapshot, $0) }
                }
            }),
        Row(
            ControlMethods.eventsUnsubscribe,
            ControlHandler(needsStore: false) { (call, service, _) throws(RPCError) in
                let number = call.params.integer("subscription") ?? 0
                guard service.unsubscribe(number, call) else { throw .noSuchSubscription(number) }
                service.answer(call) { writer in writer.object { _ in } }
            }),
        Row(
            ControlMethods.debug,
            // At once: whoever asks may want to know why a commit hangs.
            ControlHandler(needsStore: false) { (call, service, engine) throws(RPCError) in
                let last = call.params.integer("last") ?? 256
                service.answer(call) { writer in
                    writer.object { writer in
                        writer.key("state")
                        engine.writeState(into: &writer)
                        writer.key("events")
                        writer.array { writer in
                            for event in engine.events.events(after: engine.events.sequence - last) {
                                event.write(into: &writer)
                            }
                        }
                    }
                }
            }),
    ]
}
