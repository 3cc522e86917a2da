import RPC
import Scheduling

/// The device's conditions.
extension ControlHandlers {
    static let deviceRows: [Row] = [
        read(ControlMethods.device, needsStore: false) { _, engine, writer in
            engine.writeDevice(into: &writer)
        },
        Row(
            ControlMethods.deviceHistory,
            ControlHandler { (call, service, engine) throws(RPCError) in
                let query = try call.params.deviceChangeQuery()
                // Written on the store's thread, as a page of runs is.
                service.ask(call, engine) { (store) throws(StoreFailure) in
                    let page = try store.deviceChanges(query)
                    var writer = JSONWriter()
                    writer.object { writer in
                        writer.key("changes")
                        writer.array { writer in
                            for change in page.changes { writer.value(change) }
                        }
                        writer.member("next", page.next.map { Cursor.text($0) })
                    }
                    return writer.bytes
                } _: { result, _ in
                    service.answer(call) { (writer) throws(RPCError) in
                        switch result {
                        case .failure(let failure): throw .storeUnavailable(failure)
                        case .success(let bytes): writer.raw(bytes)
                        }
                    }
                }
            }),
        change(ControlMethods.deviceOverride, needsSimulation: true) { (call, _) throws(RPCError) in
            let (condition, value) = try call.params.override()
            let lasting = call.params.duration("forSeconds")
            return { .conditionOverridden(condition, value, lasting: lasting, call: $0) }
        } answer: { _, call, service, engine in
            answerDevice(call, service, engine)
        },
        change(ControlMethods.deviceClear, needsSimulation: true) { (call, _) throws(RPCError) in
            let condition = call.params.deviceCondition()
            return { .overrideCleared(condition, call: $0) }
        } answer: { _, call, service, engine in
            answerDevice(call, service, engine)
        },
        change(ControlMethods.deviceReport) { (call, _) throws(RPCError) in
            let (condition, value, source) = try call.params.report()
            let validFor = call.params.duration("validSeconds")
            return { .conditionReported(condition, value, source: source, validFor: validFor, call: $0) }
        } answer: { _, call, service, engine in
            answerDevice(call, service, engine)
        },
    ]

    private static func answerDevice(_ call: ControlCall, _ service: ControlService, _ engine: isolated Engine) {
        answerDurably(call, service, engine) { writer in engine.writeDevice(into: &writer) }
    }
}

extension Engine {
    func writeDevice(into writer: inout JSONWriter) {
        let readings = scheduler.deviceReadings(at: clock.now())
        writer.object { writer in
            writer.key("state")
            writer.value(readings)
        }
    }
}
