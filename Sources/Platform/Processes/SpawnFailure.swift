import CLinux
import Glibc

/// Why a child could not be started, and at which step.
package struct SpawnFailure: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Step: Sendable, CaseIterable {
        /// The options cannot be passed on: a NUL byte in a text, a `=` in a variable's name.
        case options
        case lookup
        case prepare
        case clone
        case session
        case descriptors
        case limits
        case groups
        case user
        case workingDirectory
        case deathSignal
        case execute
    }

    package var step: Step
    /// The errno.
    package var code: Int32
    package var executable: String

    package init(step: Step, code: Int32, executable: String) {
        self.step = step
        self.code = code
        self.executable = executable
    }

    package var description: String {
        let text = SystemError.text(for: code)
        let cause =
            switch step {
            case .options: "its arguments or environment hold a NUL byte, or a variable's name holds =, or has none"
            case .lookup: "no folder in PATH has an executable of that name"
            case .prepare, .clone: "no new process can be made: \(text)"
            case .session: "it cannot lead a process group: \(text)"
            case .descriptors: "its descriptors cannot be set up: \(text)"
            case .limits: "its resource limits cannot be set: \(text)"
            case .groups: "its groups cannot be set: \(text)"
            case .user: "its user cannot be set: \(text)"
            case .workingDirectory: "its working folder cannot be entered: \(text)"
            case .deathSignal: "it cannot be tied to its parent: \(text)"
            case .execute where code == ENOENT: "\(text) (a script's interpreter must be there, too)"
            case .execute where code == ENOEXEC: "\(text) (a script begins with #! and its interpreter)"
            case .execute: text
            }
        return "cannot start \(executable): \(cause)"
    }
}

extension SpawnFailure.Step {
    init(_ number: Int32) {
        switch Int(number) {
        case RUNNER_SPAWN_PREPARE: self = .prepare
        case RUNNER_SPAWN_CLONE: self = .clone
        case RUNNER_SPAWN_SESSION: self = .session
        case RUNNER_SPAWN_DESCRIPTORS: self = .descriptors
        case RUNNER_SPAWN_LIMITS: self = .limits
        case RUNNER_SPAWN_GROUPS: self = .groups
        case RUNNER_SPAWN_USER: self = .user
        case RUNNER_SPAWN_FOLDER: self = .workingDirectory
        case RUNNER_SPAWN_DEATH_SIGNAL: self = .deathSignal
        case RUNNER_SPAWN_EXECUTE: self = .execute
        default: preconditionFailure("an unknown step of spawning")
        }
    }
}
