import Platform
import RPC
import Scheduling

/// The runs of `runnerctl torture`, one after another.
struct Torture {
    let connection: ControlConnection
    let identifier: TaskIdentifier
    /// How many microseconds a run may take before it is expired.
    let longest: Int64
    var report: ExpiryReport
    /// What the run that nobody expired did; `nil` before it.
    private var baseline: (microseconds: Int64, rearms: Bool)?
    /// What the shortest run took that was over before it was expired.
    private var shortest: Int64?
    /// Whether the last run was over before: the next moment lies within the shortest one.
    private var wasTooLate = false
    /// Whether the task is a command, which knows of no task.
    private var isCommand = false

    /// A run that goes on after its grace period, until its process is gone.
    private static let patience: Int64 = 60_000
    /// How long is waited for what a handler says after the end of its run, beyond the time that its work takes.
    private static let late: Int64 = 50
    /// How long is waited at most for work that nobody stopped.
    private static let longestStraggling: Int64 = 10_000

    init(connection: ControlConnection, identifier: TaskIdentifier, longest: Int64, reproduction: String) {
        self.connection = connection
        self.identifier = identifier
        self.longest = longest
        report = ExpiryReport(identifier, reproduction: reproduction)
    }

    static func canRun(_ trial: ExpiryTrial) -> Bool {
        switch trial.moment {
        case .never, .after: true
        case .before, .during: false
        }
    }

    /// Looks how the task is run, for what to say of it.
    mutating func look() throws(ControlFailure) {
        let registered = try connection.callBriefly(ControlMethods.registered.name)
        let entry = registered.elements("identifiers").first { $0.text("identifier") == identifier.text }
        isCommand = entry?.text("handler") == "commands"
    }

    /// One run, which is held against what the task does without an expiration.
    mutating func run(only trial: ExpiryTrial) throws(ControlFailure) {
        report.only = trial
        if trial.moment != .never { try run(ExpiryTrial(seed: 0, .never)) }
        try run(trial)
    }

    /// The runs, spread over the time that the first one took.
    mutating func run(times: Int, _ progress: (Int) -> Void) throws(ControlFailure) {
        try run(ExpiryTrial(seed: 0, .never))
        for number in 0..<times {
            // The fractions of a multiple of the golden ratio lie evenly, and never at the same places.
            let fraction = (Double(number + 1) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
            let span = (wasTooLate ? shortest : baseline?.microseconds) ?? longest
            try run(ExpiryTrial(seed: 0, .after(microseconds: Int(Double(span) * fraction))))
            progress(number + 1)
        }
    }

    // MARK: Private

    private mutating func run(_ trial: ExpiryTrial) throws(ControlFailure) {
        let launched = try launch()
        let begun = SystemClock.milliseconds(.awake)
        var limit = longest
        if case .after(let microseconds) = trial.moment { limit = Int64(microseconds) }
        var ended = try end(of: launched, within: limit)
        let isEarly = ended != nil
        var wasExpired = false
        if !isEarly {
            wasExpired = try expire()
            ended = try end(of: launched, within: Self.patience * 1_000)
        }
        let taken = (SystemClock.milliseconds(.awake) - begun) * 1_000
        if ended != nil {
            // Work that was not stopped completes the task again when it is done.
            let rest = wasExpired ? max(0, (baseline?.microseconds ?? 0) - taken) / 1_000 : 0
            ended = try lookAgain(at: launched, after: Self.late + min(Self.longestStraggling, rest))
        }
        let isPending = try isPending()
        if case .never = trial.moment {
            baseline = (microseconds: max(1_000, isEarly ? taken : longest), rearms: isPending)
        } else {
            wasTooLate = !wasExpired
            if wasTooLate { shortest = min(shortest ?? longest, max(1_000, taken)) }
        }
        var judge = ExpiryJudge(
            trial: trial, state: ended.flatMap { RunState(rawValue: $0.text("state")) },
            diagnostics: Set(ended?.elements("diagnostics").map { $0.text("name") } ?? []))
        judge.wasExpired = wasExpired
        judge.rearms = baseline?.rearms
        judge.isPending = isPending
        judge.isCommand = isCommand
        report.trials += 1
        if wasExpired { report.moments += 1 }
        report.add(judge.findings)
    }

    /// Starts a run; one whose code goes on is waited for.
    private func launch() throws(ControlFailure) -> Int64 {
        let deadline = SystemClock.milliseconds(.awake) + Self.patience
        while true {
            do throws(ControlFailure) {
                let result = try connection.callBriefly(
                    ControlMethods.simulateLaunch.name, params: params { $0.member("submit", true) })
                guard let run = result["run"]?["run"]?.integer else {
                    throw .lost("What answers is not a runner: there is no run in its answer.")
                }
                return run
            } catch {
                guard case .refused(let refusal) = error, refusal.kind == Refusal.Kind.alreadyRunning.rawValue,
                    SystemClock.milliseconds(.awake) < deadline
                else { throw error }
                // An answer that does not come is as good as a sleep.
                _ = try connection.receive(until: SystemClock.milliseconds(.awake) + 20)
            }
        }
    }

    /// The run as it ended, or nil when it goes on after so many microseconds.
    private func end(of run: Int64, within microseconds: Int64) throws(ControlFailure) -> JSONValue? {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("run", run)
            writer.member("timeoutSeconds", seconds: max(1, (microseconds + 999) / 1_000))
        }
        do throws(ControlFailure) {
            return try connection.call(ControlMethods.wait.name, params: writer.bytes)["run"]
        } catch {
            guard case .refused(let refusal) = error, refusal.kind == Refusal.Kind.timedOut.rawValue else {
                throw error
            }
            return nil
        }
    }

    /// The run as it is a while after its end, with the diagnostics of what came later.
    private func lookAgain(at run: Int64, after milliseconds: Int64) throws(ControlFailure) -> JSONValue? {
        // An answer that does not come is as good as a sleep.
        _ = try connection.receive(until: SystemClock.milliseconds(.awake) + milliseconds)
        var writer = JSONWriter()
        writer.object { $0.member("run", run) }
        return try connection.callBriefly(ControlMethods.run.name, params: writer.bytes)["run"]
    }

    /// False when the run had ended before.
    private func expire() throws(ControlFailure) -> Bool {
        do throws(ControlFailure) {
            _ = try connection.callBriefly(
                ControlMethods.simulateExpiration.name,
                params: params { $0.member("reason", ExpirationReason.budget.rawValue) })
            return true
        } catch {
            guard case .refused(let refusal) = error, refusal.kind == Refusal.Kind.notRunning.rawValue else {
                throw error
            }
            return false
        }
    }

    private func isPending() throws(ControlFailure) -> Bool {
        try connection.callBriefly(ControlMethods.explain.name, params: params { _ in })["pending"] != nil
    }

    private func params(_ more: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("identifier", identifier.text)
            more(&writer)
        }
        return writer.bytes
    }
}
