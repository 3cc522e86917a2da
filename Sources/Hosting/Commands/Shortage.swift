import Platform
import Scheduling
import SystemPlatform

/// What a process could not be started for, when something had run out.
struct Shortage: Equatable {
    /// Completes “… could not be started: ”.
    var reason: String
    /// Whether it is the daemon's own limit of open files.
    var isOfOpenFiles: Bool

    /// Nil for what more room would not mend.
    init?(_ error: any Error) {
        let code: Int32
        switch error {
        case let error as SystemError: code = error.code
        case let failure as SpawnFailure: code = failure.code
        default: return nil
        }
        let cause = SystemError(code: code, operation: "start a process")
        guard cause.isShortage else { return nil }
        reason = "\(error)"
        isOfOpenFiles = cause.isOutOfDescriptors
    }

    /// What `doctor` says of it.
    var finding: Finding {
        let fix =
            isOfOpenFiles
            ? "Let the daemon open more files (LimitNOFILE= in its unit, “ulimit -n” elsewhere), or close what it has open."
            : "Free some of it on this machine; starts are tried again by themselves."
        return Finding(
            .error, "resourcesExhausted", message: "The last process could not be started: \(reason).", fix: fix)
    }
}
