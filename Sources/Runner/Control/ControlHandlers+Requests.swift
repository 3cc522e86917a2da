import RPC
import Scheduling

/// Requests: what waits, and why.
extension ControlHandlers {
    static let requestRows: [Row] = [
        change(ControlMethods.submit) { (call, engine) throws(RPCError) in
            let (request, options) = try call.params.submission()
            if engine.scheduler.phase == .draining {
                throw RPCError(Refusal(.draining, "The runner is shutting down; submit again after its next start."))
            }
            return { .requestSubmitted(request, options, call: $0) }
        } answer: { reply, call, service, _ in
            guard case .submitted(let result) = reply else { return }
            service.answer(call) { writer in writer.value(result) }
        },
        change(ControlMethods.cancel) { (call, _) throws(RPCError) in
            let identifier = try call.params.taskIdentifier()
            return { .requestCancelled(identifier, by: nil, call: $0) }
        } answer: { reply, call, service, _ in
            guard case .cancelled(let request) = reply else { return }
            service.answer(call) { writer in
                writer.object { writer in
                    writer.member("cancelled", request != nil)
                    writer.member("request", request)
                }
            }
        },
        change(ControlMethods.cancelAll) { (call, _) throws(RPCError) in
            let app = try call.params.optionalAppIdentifier()
            return { .allRequestsCancelled(app: app, call: $0) }
        } answer: { reply, call, service, _ in
            guard case .cancelledAll(let count) = reply else { return }
            service.answer(call) { writer in writer.object { writer in writer.member("cancelled", count) } }
        },
        read(ControlMethods.pending) { (call, engine, writer) throws(RPCError) in
            let identifier = try call.params.optionalTaskIdentifier()
            let app = try call.params.optionalAppIdentifier()
            try engine.requireKnown(app)
            let after = try call.params.cursor("after") ?? 0
            if let identifier {
                let request = engine.scheduler.pending(identifier).flatMap { app == nil || $0.app == app ? $0 : nil }
                writer.object { writer in writer.member("requests", request.map { [$0] } ?? []) }
                return
            }
            let page = engine.scheduler.pending(app: app, after: Int(clamping: after), limit: call.params.limit())
            writer.object { writer in
                writer.member("requests", page.requests)
                writer.member("next", page.next.map { Cursor.text($0) })
            }
        },
        Row(
            ControlMethods.explain,
            ControlHandler { (call, service, engine) throws(RPCError) in
                let identifier = try call.params.taskIdentifier()
                explain(identifier, call, service, engine)
            }),
    ]

    private static func explain(
        _ identifier: TaskIdentifier, _ call: ControlCall, _ service: ControlService, _ engine: isolated Engine
    ) {
        var explanation = engine.scheduler.explain(identifier, at: engine.now())
        let known = Set(explanation.running?.diagnostics ?? [])
        explanation.add(engine.recentDiagnostics.about(identifier).filter { !known.contains($0) })
        let remaining = engine.remaining(of: explanation.running)
        service.ask(call, engine) { (store) throws(StoreFailure) in
            try store.history(HistoryQuery(identifier: identifier, limit: 2)).runs
        } _: { [explanation] result, _ in
            service.answer(call) { (writer) throws(RPCError) in
                switch result {
                case .failure(let failure): throw .storeUnavailable(failure)
                case .success(let runs):
                    let last = runs.first { $0.run != explanation.running?.run }
                    writer.value(explanation, lastRun: last, remaining: remaining)
                }
            }
        }
    }
}

extension Engine {
    func requireKnown(_ app: AppIdentifier?) throws(RPCError) {
        guard let app, !scheduler.isKnown(app) else { return }
        throw RPCError(scheduler.unknownApp(app))
    }
}
