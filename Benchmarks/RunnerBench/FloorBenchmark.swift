import Dispatch
import Platform
import Runner

/// Requests with floors one after the other; each handler notes how long ago its floor passed.
struct FloorBenchmark {
    let folder: String
    let count: Int
    /// Milliseconds between floors.
    let spread: Int

    private struct State {
        var samples = Samples()
        var firstFloor: Int64 = 0
    }

    func run() throws -> Figures {
        let names = (0..<count).map { BenchProgram.app + ".task\($0)" }
        let manifest = try Manifest(
            identifier: BenchProgram.app, permittedIdentifiers: names, backgroundModes: ["fetch"])
        var options = TaskRunnerOptions()
        options.stateFolder = folder + "/floors"
        options.socket = .none
        let runner = TaskRunner(manifest: manifest, options: options)
        let state = Locked(State())
        let finished = DispatchSemaphore(value: 0)
        let (count, spread) = (count, Int64(spread))
        for (number, name) in names.enumerated() {
            try runner.register(name) { (_: TaskContext) in
                let now = SystemClock.nanoseconds(.wall)
                let isLast = state.withLock { state in
                    let floor = state.firstFloor + Int64(number) * spread
                    state.samples.add(now - floor * 1_000_000)
                    return state.samples.nanoseconds.count == count
                }
                if isLast { finished.signal() }
            }
        }
        try runner.start()
        let first = SystemClock.milliseconds(.wall) + 1_500 + Int64(count)
        state.withLock { $0.firstFloor = first }
        try BenchRunner.wait {
            for (number, name) in names.enumerated() {
                let floor = WallTime(milliseconds: first + Int64(number) * spread)
                try await runner.submit(TaskRequest(identifier: TaskIdentifier(name), floor: floor))
            }
        }
        guard SystemClock.milliseconds(.wall) < first else {
            throw BenchFailure("the submissions took longer than the time to the first floor")
        }
        guard finished.wait(timeout: .now() + .seconds(60)) == .success else {
            throw BenchFailure("not every handler was entered")
        }
        try BenchRunner.end(runner)
        let samples = state.withLock { $0.samples }
        guard samples.percentile(0) >= 0 else { throw BenchFailure("a handler was entered before its floor") }
        var figures = Figures()
        figures.add("p50", samples.percentile(50))
        figures.add("p99", samples.percentile(99))
        return figures
    }
}
