import RPC

/// Runs of the history, counted by task and by hour of the day.
struct HistoryCounts {
    /// What is known of some of the runs. Simulated ones are in no count but their own.
    struct Tally {
        /// Runs that the scheduler started.
        private(set) var grants = 0
        private(set) var simulated = 0
        /// Of the simulated ones.
        private(set) var simulatedFailures = 0
        private(set) var succeeded = 0
        private(set) var failed = 0
        /// How the failures ended, such as `crashed`.
        private(set) var failures: [String: Int] = [:]
        /// Milliseconds that the grants had waited.
        private(set) var waited: Int64 = 0
        private(set) var longestWait: Int64 = 0
        /// Milliseconds by the gate that held them.
        private(set) var gates: [String: Int64] = [:]

        mutating func add(_ run: JSONValue) {
            guard run.text("origin") != "simulated" else {
                simulated += 1
                if StateWords.isFailure(run.text("state")) { simulatedFailures += 1 }
                return
            }
            grants += 1
            let state = run.text("state")
            if state == "succeeded" {
                succeeded += 1
            } else if StateWords.isFailure(state) {
                failed += 1
                failures[state, default: 0] += 1
            }
            let wait = run.milliseconds("waitedSeconds") ?? 0
            waited += wait
            longestWait = max(longestWait, wait)
            for wait in run.elements("waits") {
                gates[wait.text("gate"), default: 0] += wait.milliseconds("seconds") ?? 0
            }
        }

        var meanWait: Int64 { grants == 0 ? 0 : waited / Int64(grants) }

        /// The gate that held its requests longest.
        var slowestGate: String? {
            gates.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
        }
    }

    private(set) var runs = 0
    private(set) var tasks: [String: Tally] = [:]
    private(set) var hours = [Tally](repeating: Tally(), count: 24)
    /// When the oldest and the newest of them started, in milliseconds since 1970.
    private(set) var oldest: Int64?
    private(set) var newest: Int64?

    var simulated: Int { tasks.values.reduce(0) { $0 + $1.simulated } }
    var simulatedFailures: Int { tasks.values.reduce(0) { $0 + $1.simulatedFailures } }

    private let hour: (Int64) -> Int

    /// - Parameter hour: the hour of the day of a moment, from 0 to 23.
    init(hour: @escaping (Int64) -> Int) {
        self.hour = hour
    }

    mutating func add(_ run: JSONValue) {
        runs += 1
        tasks[run.text("identifier"), default: Tally()].add(run)
        guard let started = run.date("startedAt") ?? run.date("submittedAt") else { return }
        hours[hour(started)].add(run)
        oldest = min(oldest ?? started, started)
        newest = max(newest ?? started, started)
    }
}
