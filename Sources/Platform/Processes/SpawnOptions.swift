import CLinux

/// A limit that the kernel puts on one process.
package struct ResourceLimit: Equatable, Sendable {
    package enum Kind: Sendable, CaseIterable {
        case cpuSeconds
        /// Memory that the program asks for (RLIMIT_DATA). Address space would stop some runtimes at their start.
        case dataBytes
        case addressSpaceBytes
        case fileBytes
        case openFiles
        /// Counts all processes of the user and does not bind root.
        case processes
        case coreBytes
    }

    package var kind: Kind
    /// Going over it has the kind's consequence: a signal, or a call that fails.
    package var soft: UInt64
    /// How far the process itself may raise the soft limit. Only root can raise this one.
    package var hard: UInt64

    package init(_ kind: Kind, soft: UInt64, hard: UInt64) {
        self.kind = kind
        self.soft = soft
        self.hard = hard
    }

    package init(_ kind: Kind, _ both: UInt64) {
        self.init(kind, soft: both, hard: both)
    }

    var forSystem: runner_resource_limit {
        let number =
            switch kind {
            case .cpuSeconds: RUNNER_LIMIT_CPU_SECONDS
            case .dataBytes: RUNNER_LIMIT_DATA_BYTES
            case .addressSpaceBytes: RUNNER_LIMIT_ADDRESS_SPACE_BYTES
            case .fileBytes: RUNNER_LIMIT_FILE_BYTES
            case .openFiles: RUNNER_LIMIT_OPEN_FILES
            case .processes: RUNNER_LIMIT_PROCESSES
            case .coreBytes: RUNNER_LIMIT_CORE_BYTES
            }
        return runner_resource_limit(kind: Int32(number), soft: soft, hard: hard)
    }
}

/// How a child process is to be started. It gets nothing of its parent but what is said here, the umask and the
/// limits that are not named.
package struct SpawnOptions: Sendable {
    /// A path, or a name without a slash that is looked up in the PATH of `environment`.
    package var executable: String
    /// Without the program's own name, which the child gets as its first argument.
    package var arguments: [String] = []
    package var environment: [String: String] = [:]
    /// Nil keeps the parent's.
    package var workingDirectory: String?
    /// Nil is the null device.
    package var standardInput: Int32?
    package var standardOutput: Int32?
    package var standardError: Int32?
    /// Becomes the child's descriptor 3; nil leaves that closed.
    package var channel: Int32?
    /// A session of its own, without a terminal. Otherwise the child only leads a process group of its own.
    package var newSession = true
    /// The signal that the child gets when the *thread* that started it ends.
    package var parentDeathSignal: Int32?
    /// Nil keeps the parent's. Only root can choose.
    package var user: UserCredentials?
    package var limits: [ResourceLimit] = []

    package init(executable: String, arguments: [String] = [], environment: [String: String] = [:]) {
        self.executable = executable
        self.arguments = arguments
        self.environment = environment
    }
}
