import CLinux
import Glibc

/// How a process ended.
package enum ExitStatus: Equatable, Sendable, CustomStringConvertible {
    case exited(Int32)
    case signalled(Int32)
    /// Somebody else in this program took the status: it ignores SIGCHLD, or waits for all children.
    case unknown

    package var description: String {
        switch self {
        case .exited(let code): "exited with status \(code)"
        case .signalled(let signal): "ended by signal \(signal)"
        case .unknown: "ended, how is not known"
        }
    }
}

/// A child that leads a process group of its own, held by a descriptor that was opened before anyone could reap it.
package final class ChildProcess: Sendable {
    package let pid: Int32
    /// Becomes readable when the child has ended.
    package let pidfd: OwnedDescriptor

    private enum State {
        /// Runs, or waits to be reaped: nobody else can have its numbers. → `reaped`.
        case owned
        case reaped(ExitStatus)
    }

    private let state = Locked(State.owned)

    private init(pid: Int32, pidfd: OwnedDescriptor) {
        self.pid = pid
        self.pidfd = pidfd
    }

    /// Starts a child, and returns when it runs its program or could not.
    package static func spawn(_ options: SpawnOptions) throws(SpawnFailure) -> ChildProcess {
        let name = options.executable
        let strings = [name, options.workingDirectory ?? ""] + options.arguments
        let variables = options.environment
        guard strings.allSatisfy({ !$0.utf8.contains(0) }),
            variables.allSatisfy({ isVariable(name: $0.key, value: $0.value) })
        else { throw SpawnFailure(step: .options, code: EINVAL, executable: name) }
        guard let executable = ExecutableLookup.find(name, path: variables["PATH"]) else {
            throw SpawnFailure(step: .lookup, code: ENOENT, executable: name)
        }

        // In a fixed order: a child must not see how our dictionaries are hashed.
        let assignments = variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let arguments = CStringArray([name] + options.arguments)
        let environment = CStringArray(assignments)
        let path = CStringArray([executable, options.workingDirectory].compactMap(\.self))
        let limits = options.limits.map(\.forSystem)
        var result = runner_spawn_result()
        let groups = options.user?.groups ?? []
        groups.withUnsafeBufferPointer { groups in
            limits.withUnsafeBufferPointer { limits in
                var system = runner_spawn_options()
                system.executable = UnsafePointer(path.pointer[0])
                system.folder = options.workingDirectory == nil ? nil : UnsafePointer(path.pointer[1])
                system.arguments = UnsafePointer(arguments.pointer)
                system.environment = UnsafePointer(environment.pointer)
                system.descriptors = (
                    options.standardInput ?? -1, options.standardOutput ?? -1, options.standardError ?? -1,
                    options.channel ?? -1
                )
                system.new_session = options.newSession ? 1 : 0
                system.death_signal = options.parentDeathSignal ?? 0
                if let user = options.user {
                    system.change_user = 1
                    system.uid = user.uid
                    system.gid = user.gid
                    system.groups = groups.baseAddress
                    system.group_count = groups.count
                }
                system.limits = limits.baseAddress
                system.limit_count = limits.count
                runner_spawn(&system, &result)
            }
        }
        guard result.failed_step == 0 else {
            throw SpawnFailure(step: .init(result.failed_step), code: result.error, executable: name)
        }
        return ChildProcess(pid: result.pid, pidfd: OwnedDescriptor(result.pidfd))
    }

    /// Takes the status of a child that has ended; nil while it runs. Later calls return the same.
    package func reap() -> ExitStatus? {
        state.withLock { state in
            if case .reaped(let status) = state { return status }
            var system = runner_exit_status()
            let result = runner_pidfd_reap(pidfd.raw, &system)
            guard result != 0 else { return nil }
            let status: ExitStatus =
                if result < 0 {
                    .unknown
                } else if system.signalled != 0 {
                    .signalled(system.value)
                } else {
                    .exited(system.value)
                }
            state = .reaped(status)
            return status
        }
    }

    /// Signals the child itself. False when it has been reaped, or may not be signalled.
    @discardableResult
    package func signal(_ signal: Int32) -> Bool {
        state.withLock { state in
            guard case .owned = state else { return false }
            return runner_pidfd_signal(pidfd.raw, signal) == 0
        }
    }

    /// Signals the child and what it started in its group.
    ///
    /// Does nothing once the child has been reaped, because its group's number may then be somebody else's. To reach
    /// what a child left behind, signal the group *before* reaping; an ended child that waits keeps the number.
    @discardableResult
    package func signalGroup(_ signal: Int32) -> Bool {
        state.withLock { state in
            guard case .owned = state else { return false }
            return kill(-pid, signal) == 0
        }
    }

    /// What still lives in the group after the child was reaped. While anything does, no new child can have its number.
    package func leftInGroup() -> [ProcessIdentity] {
        // One call tells in nearly every case; an ended member that nobody has reaped answers too.
        if kill(-pid, 0) != 0, errno == ESRCH { return [] }
        let members = ProcessTable.members(ofGroup: pid)
        // With a leader it is a new group.
        return members.contains { $0.pid == pid } ? [] : members
    }

    // MARK: Private

    private static func isVariable(name: String, value: String) -> Bool {
        !name.isEmpty && !name.utf8.contains(0) && !name.utf8.contains(UInt8(ascii: "="))
            && !value.utf8.contains(0)
    }

    /// Strings as C wants them, ended by NULL.
    private final class CStringArray {
        let pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
        private let count: Int

        init(_ strings: [String]) {
            count = strings.count
            pointer = .allocate(capacity: strings.count + 1)
            for (index, string) in strings.enumerated() {
                (pointer + index).initialize(to: strdup(string))
            }
            (pointer + strings.count).initialize(to: nil)
        }

        deinit {
            for index in 0..<count { free(pointer[index]) }
            pointer.deallocate()
        }
    }
}
