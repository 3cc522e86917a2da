import Glibc
import Plugins

/// The least that a plugin with the kit can be, with the same arguments as `peers/plugin.c`; with `--log` it writes a line
/// into the log of each run, as plugins do.
struct BenchPlugin: TaskPlugin {
    private let prefix: String
    private let count: Int
    private let times: Int32
    private let exits: Bool
    private let logs: Bool

    init() {
        let arguments = CommandLine.arguments
        prefix = arguments.count > 1 ? arguments[1] : ""
        count = arguments.count > 2 ? Int(arguments[2]) ?? 0 : 0
        let place = arguments.firstIndex(of: "--times").map { $0 + 1 }
        times = place.map { open(arguments[$0], O_WRONLY | O_CLOEXEC) } ?? -1
        exits = arguments.contains("--exit")
        logs = arguments.contains("--log")
    }

    func register(in registry: TaskRegistry) throws {
        for number in 0..<count {
            let digits = String(number)
            let identifier = prefix + String(repeating: "0", count: max(4 - digits.count, 0)) + digits
            try registry.register(identifier) { (task: LaunchedTask) in
                note(at: 8)
                if logs { task.context.log("in run \(task.context.runNumber)") }
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
