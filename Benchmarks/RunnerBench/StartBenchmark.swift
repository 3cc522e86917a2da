import Platform
import Runner
import Storage

/// A program with many identifiers, all registered and all pending: how long its runner takes from `start` to launched.
struct StartBenchmark {
    let folder: String
    let count: Int

    private var names: [String] { (0..<count).map { BenchProgram.app + ".task\($0)" } }

    /// Fills the store as the runner would have; its own limit of pending requests is far lower.
    func prepare() throws -> Figures {
        let now = WallTime(milliseconds: SystemClock.milliseconds(.wall))
        let boot = BootIdentifier(SystemClock.bootIdentifier())
        let app = try AppIdentifier(BenchProgram.app)
        try RuntimeFolder.prepare(path: folder, mode: 0o700)
        let store = try SQLiteStore(folder: folder, now: now)
        let changes = try names.enumerated().map { number, name in
            let floor = WallTime(milliseconds: 4_102_444_800_000 + Int64(number))
            return StoreChange.putRequest(
                PendingRequest(
                    identifier: try TaskIdentifier(name), app: app, kind: .appRefresh, floor: floor, submittedAt: now,
                    submittedBoot: BootTime(milliseconds: SystemClock.milliseconds(.boot)), bootIdentifier: boot,
                    submission: Int64(number + 1)))
        }
        try store.commit(changes)
        store.close()
        return Figures()
    }

    func run() throws -> Figures {
        let names = names
        let manifest = try Manifest(
            identifier: BenchProgram.app, permittedIdentifiers: names, backgroundModes: ["fetch"])
        var options = TaskRunnerOptions()
        options.stateFolder = folder
        options.socket = .none
        let runner = TaskRunner(manifest: manifest, options: options)
        for name in names { try runner.register(name) { (_: TaskContext) in } }
        let begun = SystemClock.nanoseconds(.awake)
        try runner.start()
        let ended = SystemClock.nanoseconds(.awake)
        let engine = try runner.engine()
        let pending = try BenchRunner.wait { await engine.scheduler.pendingCount }
        guard pending == count else { throw BenchFailure("\(pending) requests are pending, not \(count)") }
        try BenchRunner.end(runner)
        var figures = Figures()
        figures.add("milliseconds", Double(ended - begun) / 1_000_000)
        return figures
    }
}
