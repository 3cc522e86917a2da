import Scheduling

/// The columns of a run: its number, the request that it claimed, and what became of it.
enum RunColumns {
    static let names = """
        run, \(RequestColumns.names), origin, attempt, state, claim_cancelled, waited, waits, started_at, started_boot, \
        ended_at, ended_boot, budget, expired_at, reason, message, progress, progress_title, progress_subtitle, \
        exit_code, exit_signal, process_group, process_start, process_boot, diagnostics
        """
    static let count = 1 + RequestColumns.count + 23
    /// Where the columns after the request begin, counted from 0.
    static let rest = 1 + RequestColumns.count
}

/// Reads runs from rows.
struct RunReader {
    private var requests = RequestReader()

    mutating func run(_ row: SQLiteStatement) throws(StoreFailure) -> RunRecord {
        let rest = RunColumns.rest
        var run = RunRecord(
            run: RunIdentifier(row.integer(0)),
            request: try requests.request(row, from: 1),
            origin: try row.value(rest, RunOrigin.self),
            attempt: Int(row.integer(rest + 1)),
            state: try row.value(rest + 2, RunState.self),
            startedAt: WallTime(milliseconds: row.integer(rest + 6)),
            startedBoot: BootTime(milliseconds: row.integer(rest + 7)))
        run.claimCancelled = row.flag(rest + 3)
        run.waitedMilliseconds = row.integer(rest + 4)
        run.waits = try row.json(list: rest + 5, of: GateWait.self)
        run.endedAt = row.optionalInteger(rest + 8).map(WallTime.init(milliseconds:))
        run.endedBoot = row.optionalInteger(rest + 9).map(BootTime.init(milliseconds:))
        run.budgetMilliseconds = row.optionalInteger(rest + 10)
        run.expiredAt = row.optionalInteger(rest + 11).map(WallTime.init(milliseconds:))
        run.expirationReason = try row.optionalValue(rest + 12, ExpirationReason.self)
        run.message = row.optionalText(rest + 13)
        run.progress = progress(row, from: rest + 14)
        run.exit = exit(row, from: rest + 17)
        run.process = process(row, from: rest + 19)
        run.diagnostics = try row.json(list: rest + 22, of: Diagnostic.self)
        return run
    }

    private func progress(_ row: SQLiteStatement, from first: Int32) -> RunProgress? {
        guard let fraction = row.optionalDouble(first) else { return nil }
        return RunProgress(
            fraction: fraction, title: row.optionalText(first + 1), subtitle: row.optionalText(first + 2))
    }

    private func exit(_ row: SQLiteStatement, from first: Int32) -> ProcessExit? {
        if let code = row.optionalInteger(first) { return .code(Int32(truncatingIfNeeded: code)) }
        if let signal = row.optionalInteger(first + 1) { return .signal(Int32(truncatingIfNeeded: signal)) }
        return nil
    }

    private func process(_ row: SQLiteStatement, from first: Int32) -> ProcessMark? {
        guard let group = row.optionalInteger(first) else { return nil }
        return ProcessMark(
            group: Int32(truncatingIfNeeded: group), startTime: UInt64(bitPattern: row.integer(first + 1)),
            bootIdentifier: BootIdentifier(row.text(first + 2)))
    }
}

extension SQLiteStatement {
    /// Binds all columns of a run to the parameters from 1 on.
    func bind(_ run: RunRecord) throws(StoreFailure) {
        let rest = 1 + RunColumns.rest
        bind(1, run.run.number)
        bind(run.request, from: 2)
        bind(rest, run.origin)
        bind(rest + 1, run.attempt)
        bind(rest + 2, run.state)
        bind(rest + 3, run.claimCancelled)
        bind(rest + 4, run.waitedMilliseconds)
        try bindJSON(list: rest + 5, run.waits)
        bind(rest + 6, run.startedAt.milliseconds)
        bind(rest + 7, run.startedBoot.milliseconds)
        bind(rest + 8, run.endedAt?.milliseconds)
        bind(rest + 9, run.endedBoot?.milliseconds)
        bind(rest + 10, run.budgetMilliseconds)
        bind(rest + 11, run.expiredAt?.milliseconds)
        bind(rest + 12, run.expirationReason)
        bind(rest + 13, run.message)
        bind(rest + 14, run.progress?.fraction)
        bind(rest + 15, run.progress?.title)
        bind(rest + 16, run.progress?.subtitle)
        bindExit(run.exit, from: rest + 17)
        bind(rest + 19, run.process.map { Int64($0.group) })
        bind(rest + 20, run.process.map { Int64(bitPattern: $0.startTime) })
        bind(rest + 21, run.process?.bootIdentifier.text)
        try bindJSON(list: rest + 22, run.diagnostics)
    }

    private func bindExit(_ exit: ProcessExit?, from first: Int32) {
        switch exit {
        case nil:
            bind(first, nil as Int64?)
            bind(first + 1, nil as Int64?)
        case .code(let code):
            bind(first, Int64(code))
            bind(first + 1, nil as Int64?)
        case .signal(let signal):
            bind(first, nil as Int64?)
            bind(first + 1, Int64(signal))
        }
    }
}
