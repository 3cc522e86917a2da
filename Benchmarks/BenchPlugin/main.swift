import Glibc
import Plugins

/// The least that a plugin with the kit can be, with the same arguments as `peers/plugin.c`; with `--log COUNT` it writes a
/// line into the logs of its first so many runs, as plugins do.
struct BenchPlugin: TaskPlugin {
    private let prefix: String
    private let count: Int
    private let times: Int32
    private let exits: Bool
    private let logged: Int64

    init() {
        let arguments = CommandLine.arguments
        prefix = arguments.count > 1 ? arguments[1] : ""
        count = arguments.count > 2 ? Int(arguments[2]) ?? 0 : 0
        let value = { name in arguments.firstIndex(of: name).map { arguments[$0 + 1] } }
        times = value("--times").map { open($0, O_WRONLY | O_CLOEXEC) } ?? -1
        exits = arguments.contains("--exit")
        logged = value("--log").flatMap { Int64($0) } ?? 0
    }

    func register(in registry: TaskRegistry) throws {
        for number in 0..<count {
            let digits = String(number)
            let identifier = prefix + String(repeating: "0", count: max(4 - digits.count, 0)) + digits
            try registry.register(identifier) { (task: LaunchedTask) in
                note(at: 8)
                if task.context.runNumber <= logged { task.context.log("in run \(task.context.runNumber)") }
                task.setTaskCompleted(success: true)
                if exits { exit(0) }
            }
        }
    }

    func launched(_ app: AppContext) async {
        note(at: 0)
    }

    private func note(at place: off_t) {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        var nanoseconds = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        if times >= 0 { pwrite(times, &nanoseconds, 8, place) }
    }
}

BenchPlugin.main()
