import RPC
import Scheduling

/// What serves a method of the control socket.
struct ControlHandler: Sendable {
    typealias Body = @Sendable (ControlCall, ControlService, isolated Engine) throws(RPCError) -> Void

    /// Whether it reads or writes what is in the store, and so refuses while the store cannot be used.
    var needsStore = true
    /// Whether `simulation: false` switches it off (B36).
    var needsSimulation = false
    var body: Body
}

/// The one table from which requests are served, help is written and levels are checked.
enum ControlHandlers {
    typealias Row = MethodTable<ControlHandler>.Row

    /// In the order in which the methods are listed.
    static let table = MethodTable(
        ControlMethods.all.map { method in
            guard let row = rows[method.name] else { preconditionFailure("nothing serves '\(method.name)'") }
            return row
        })

    private static let rows = Dictionary(
        uniqueKeysWithValues: (daemonRows + requestRows + runRows + deviceRows + appRows + eventRows).map {
            ($0.method.name, $0)
        })

    /// A method that answers from the engine's state.
    static func read(
        _ method: MethodDescription, needsStore: Bool = true,
        _ body: @escaping @Sendable (ControlCall, isolated Engine, inout JSONWriter) throws(RPCError) -> Void
    ) -> Row {
        Row(
            method,
            ControlHandler(needsStore: needsStore) { (call, service, engine) throws(RPCError) in
                if engine.isDurable || engine.storeFailure != nil {
                    service.answer(call) { (writer) throws(RPCError) in try body(call, engine, &writer) }
                    return
                }
                // It may have seen what is not durable yet: it is computed now and leaves after the commit.
                var writer = JSONWriter()
                try body(call, engine, &writer)
                let bytes = writer.bytes
                service.hold(bytes.count, for: call)
                engine.afterCommit { failure in
                    service.release(bytes.count, for: call)
                    engine.assumeIsolated { engine in
                        service.answer(call) { (writer) throws(RPCError) in
                            guard let failure else {
                                writer.raw(bytes)
                                return
                            }
                            if needsStore { throw .storeUnavailable(failure) }
                            try body(call, engine, &writer)
                        }
                    }
                }
            })
    }

    /// A method that feeds an event and answers with what the scheduler replies.
    static func change(
        _ method: MethodDescription, needsSimulation: Bool = false,
        event: @escaping @Sendable (ControlCall, isolated Engine) throws(RPCError) -> (CallIdentifier) -> Event,
        answer: @escaping @Sendable (Reply, ControlCall, ControlService, isolated Engine) -> Void
    ) -> Row {
        Row(
            method,
            ControlHandler(needsSimulation: needsSimulation) { (call, service, engine) throws(RPCError) in
                let event = try event(call, engine)
                engine.call(
                    owner: call.connection,
                    { result in
                        switch result {
                        case .void(let failure): service.answer(call, error: .storeUnavailable(failure))
                        case .reply(.refused(let refusal)):
                            let remaining = engine.assumeIsolated { $0.remaining(of: refusal.run) }
                            service.answer(call, error: RPCError(refusal, remaining: remaining))
                        case .reply(let reply): engine.assumeIsolated { answer(reply, call, service, $0) }
                        }
                    }, event)
            })
    }

    /// Computes an answer now, and gives it when everything that it may have seen is durable.
    static func answerDurably(
        _ call: ControlCall, _ service: ControlService, _ engine: isolated Engine, _ body: (inout JSONWriter) -> Void
    ) {
        var writer = JSONWriter()
        body(&writer)
        let bytes = writer.bytes
        engine.afterDurable { failure in
            service.answer(call) { (writer) throws(RPCError) in
                if let failure { throw .storeUnavailable(failure) }
                writer.raw(bytes)
            }
        }
    }

    /// Answers with a run now, or when it has ended; `timeout` is without an end when it is nil.
    static func answerRun(
        _ run: RunRecord, waiting: Bool, timeout: Duration? = nil, call: ControlCall, service: ControlService,
        engine: isolated Engine
    ) {
        guard waiting, !run.state.isEnded else {
            let remaining = engine.remaining(of: run)
            answerDurably(call, service, engine) { writer in
                writer.object { writer in writer.member("run", run, remaining: remaining) }
            }
            return
        }
        // A notification is never answered, so that there is nothing to wait for.
        guard call.token != nil else { return }
        let wait = WaitNumber()
        wait.number = engine.waitForEnd(of: run.run, timeout: timeout) { outcome in
            service.removeWait(wait.number, from: call.connection)
            switch outcome {
            case .ended(let record):
                service.answer(call) { writer in writer.object { writer in writer.member("run", record) } }
            case .timedOut:
                engine.assumeIsolated { engine in
                    let live = engine.scheduler.liveRun(run.run) ?? run
                    let error = RPCError.timedOut(live, remaining: engine.remaining(of: live))
                    engine.afterDurable { failure in
                        service.answer(call, error: failure.map { .storeUnavailable($0) } ?? error)
                    }
                }
            }
        }
        if !service.addWait(wait.number, to: call.connection) { engine.cancelWait(wait.number) }
    }

    /// The number of a wait, known only after its closure was made.
    private final class WaitNumber {
        var number: UInt64 = 0
    }
}
