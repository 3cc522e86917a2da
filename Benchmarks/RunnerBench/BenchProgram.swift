import Glibc
import Platform

/// The figures that need to be measured inside of a process that embeds the runner, or in the core alone.
///
/// Prints one JSON object; `Benchmarks/run` sets it beside its peer.
enum BenchProgram {
    static let app = "com.example.bench"

    private static let usage = """
        runner-bench core COUNT                  the scheduler alone, with so many pending requests
        runner-bench events COUNT                so many events that nobody subscribes to
        runner-bench launch FOLDER MS COUNT      from simulateLaunch on a socket to the handler, after so much idleness
        runner-bench floors FOLDER COUNT MS      from a floor to the handler, for floors so far apart
        runner-bench prepare FOLDER COUNT        fills a store with so many pending requests
        runner-bench start FOLDER COUNT          starts a runner on such a store, with a handler for each

        """

    static func run(_ arguments: [String]) {
        do {
            guard let result = try measure(arguments) else {
                end(2, usage)
            }
            print(result.json)
        } catch {
            end(1, "runner-bench: \(error)\n")
        }
    }

    private static func measure(_ arguments: [String]) throws -> Figures? {
        let numbers = arguments.dropFirst().compactMap { Int($0) }
        let folder = arguments.dropFirst().first ?? ""
        switch (arguments.first, arguments.count, numbers.count) {
        case ("core", 2, 1): return try CoreBenchmark(count: numbers[0]).run()
        case ("events", 2, 1): return try EventBenchmark(count: numbers[0]).run()
        case ("launch", 4, 2):
            return try LaunchBenchmark(folder: folder, idleMilliseconds: numbers[0], count: numbers[1]).run()
        case ("floors", 4, 2):
            return try FloorBenchmark(folder: folder, count: numbers[0], spread: numbers[1]).run()
        case ("prepare", 3, 1): return try StartBenchmark(folder: folder, count: numbers[0]).prepare()
        case ("start", 3, 1): return try StartBenchmark(folder: folder, count: numbers[0]).run()
        default: return nil
        }
    }

    private static func end(_ status: Int32, _ message: String) -> Never {
        _ = Array(message.utf8).withUnsafeBytes { BlockingIO.writeAll(STDERR_FILENO, $0) }
        exit(status)
    }
}
