import Foundation
import Glibc
import Testing

/// A plugin's process as a runner starts it: with its channel as descriptor 3, and nothing else but its output.
final class PluginProcess {
    let channel: Wire
    let identifier: pid_t
    private let output: String
    private var status: Int32?

    init(_ arguments: [String], environment: [String: String] = [:], in scene: Scene) throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        defer { close(ends[1]) }
        channel = Wire(descriptor: ends[0], isControl: false)
        output = scene.path("\(UUID().uuidString).output")

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 3)

        var variables = ["PATH": "/usr/bin:/bin", "RUNNER_PLUGIN_FD": "3"]
        for name in ["LD_LIBRARY_PATH", "SWIFT_BACKTRACE"] {
            variables[name] = ProcessInfo.processInfo.environment[name]
        }
        variables.merge(environment) { _, own in own }
        let words = arguments.map { strdup($0) } + [nil]
        let settings = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for word in words + settings { free(word) } }
        var number: pid_t = 0
        let result = posix_spawn(&number, arguments[0], &actions, nil, words, settings)
        identifier = number
        try #require(result == 0, "\(arguments[0]): \(String(cString: strerror(result)))")
    }

    /// What it has printed so far.
    var text: String { (try? String(contentsOfFile: output, encoding: .utf8)) ?? "" }

    /// The exit status, or the negative number of the signal; ends it when that takes too long.
    func end() async throws -> Int32 {
        let deadline = ContinuousClock.now + .seconds(20)
        var reported: Int32 = 0
        while status == nil, waitpid(identifier, &reported, WNOHANG) == 0 {
            if ContinuousClock.now > deadline { kill(identifier, SIGKILL) }
            try await Task.sleep(for: .milliseconds(5))
        }
        let result = status ?? (reported & 0x7F == 0 ? (reported >> 8) & 0xFF : -(reported & 0x7F))
        status = result
        return result
    }

    /// The numbers of its threads.
    var threads: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(identifier)/task")) ?? []
    }

    /// How often its threads have been woken so far.
    var wakeups: Int {
        threads.reduce(0) { sum, thread in
            let text = try? String(contentsOfFile: "/proc/\(identifier)/task/\(thread)/status", encoding: .utf8)
            let line = text?.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
            return sum + (line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0)
        }
    }
}
