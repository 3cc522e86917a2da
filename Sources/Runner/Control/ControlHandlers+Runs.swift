import RPC
import Scheduling

/// Runs: now, simulated, and over.
extension ControlHandlers {
    static let runRows: [Row] = [
        read(ControlMethods.running) { call, engine, writer in
            let runs = engine.scheduler.activeRuns
            let remaining = runs.map { engine.remaining(of: $0) }
            writer.object { writer in
                writer.key("runs")
                writer.array { writer in
                    for (run, remaining) in zip(runs, remaining) { writer.value(run, remaining: remaining) }
                }
            }
        },
        change(ControlMethods.simulateLaunch, needsSimulation: true) { (call, _) throws(RPCError) in
            let identifier = try call.params.taskIdentifier()
            let options = call.params.simulationOptions()
            return { .launchSimulated(identifier, options, call: $0) }
        } answer: { reply, call, service, engine in
            guard case .run(let run) = reply else { return }
            answerRun(
                run, waiting: call.params.bool("wait") ?? false, timeout: call.params.timeout(), call: call,
                service: service, engine: engine)
        },
        change(ControlMethods.simulateExpiration, needsSimulation: true) { (call, _) throws(RPCError) in
            let identifier = try call.params.taskIdentifier()
            let reason = call.params.expirationReason()
            return { .expirationSimulated(identifier, reason, call: $0) }
        } answer: { reply, call, service, engine in
            guard case .run(let run) = reply else { return }
            answerRun(
                run, waiting: call.params.bool("wait") ?? false, timeout: call.params.timeout(), call: call,
                service: service, engine: engine)
        },
        change(ControlMethods.stop) { (call, _) throws(RPCError) in
            let (identifier, run) = try call.params.stopTarget()
            return { .stopAsked(identifier: identifier, run: run, call: $0) }
        } answer: { reply, call, service, engine in
            guard case .run(let run) = reply else { return }
            answerRun(run, waiting: call.params.bool("wait") ?? false, call: call, service: service, engine: engine)
        },
        Row(
            ControlMethods.wait,
            ControlHandler { (call, service, engine) throws(RPCError) in
                find(call.params, call, service, engine) { run, engine in
                    answerRun(
                        run, waiting: true, timeout: call.params.timeout(), call: call, service: service,
                        engine: engine)
                }
            }),
        Row(
            ControlMethods.run,
            ControlHandler { (call, service, engine) throws(RPCError) in
                find(call.params, call, service, engine) { run, engine in
                    answerRun(run, waiting: false, call: call, service: service, engine: engine)
                }
            }),
        Row(
            ControlMethods.history,
            ControlHandler { (call, service, engine) throws(RPCError) in
                let query = try call.params.historyQuery()
                // Written on the store's thread: a long page takes longer to write than anybody may hold up the loop.
                service.ask(call, engine) { (store) throws(StoreFailure) in
                    let page = try store.history(query)
                    var writer = JSONWriter()
                    writer.object { writer in
                        writer.member("runs", page.runs)
                        writer.member("next", page.next.map { Cursor.text($0.number) })
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
        Row(
            ControlMethods.log,
            ControlHandler { (call, service, engine) throws(RPCError) in
                var query = LogQuery(
                    run: nil, app: nil, limit: call.params.limit(), after: nil)
                query.after = try call.params.place("after").map { LogPosition(run: $0.run, offset: $0.offset) }
                switch try call.params.logSource() {
                case .app(let app):
                    try engine.requireKnown(app)
                    query.app = app
                    answerLines(query, call, service, engine)
                case .run(let run):
                    query.run = run
                    find(call.params, call, service, engine) { [query] _, engine in
                        answerLines(query, call, service, engine)
                    }
                }
            }),
    ]

    /// Finds the run that is meant, live or in the store.
    private static func find(
        _ params: ParameterReader, _ call: ControlCall, _ service: ControlService, _ engine: isolated Engine,
        _ found: @escaping @Sendable (RunRecord, isolated Engine) -> Void
    ) {
        guard let run = params.runIdentifier() else { return }
        if let live = engine.scheduler.liveRun(run) {
            found(live, engine)
            return
        }
        service.ask(call, engine) { (store) throws(StoreFailure) in
            try store.run(run)
        } _: { result, engine in
            switch result {
            case .failure(let failure): service.answer(call, error: .storeUnavailable(failure))
            case .success(nil): service.answer(call, error: .noSuchRun(run))
            case .success(let record?): found(record, engine)
            }
        }
    }

    private static func answerLines(
        _ query: LogQuery, _ call: ControlCall, _ service: ControlService, _ engine: isolated Engine
    ) {
        let page = engine.directory?.lines(query) ?? LogPage(lines: [])
        service.answer(call) { writer in
            writer.object { writer in
                writer.key("lines")
                writer.array { writer in
                    for line in page.lines {
                        writer.object { writer in
                            writer.member("at", date: line.at.milliseconds)
                            writer.member("stream", line.stream)
                            writer.member("text", line.text)
                        }
                    }
                }
                writer.member("next", page.next.map { Cursor.text(run: $0.run.number, offset: $0.offset) })
                writer.member("end", Cursor.text(run: page.end.run.number, offset: page.end.offset))
            }
        }
    }
}
