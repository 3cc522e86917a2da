import Platform
import Scheduling
import SystemPlatform

/// What a process could not be started for, when something had run out that its app cannot help.
struct Shortage: Equatable {
    private enum Lack {
        case openFiles
        case processes
        case other
    }

    /// Completes “… could not be started: ”.
    var reason: String
    private var lack: Lack

    /// Nil for what more room would not mend.
    init?(_ error: any Error) {
        let code: Int32
        var isMade = true
        switch error {
        case let error as SystemError: code = error.code
        case let failure as SpawnFailure:
            code = failure.code
            isMade = failure.step != .clone
        default: return nil
        }
        let cause = SystemError(code: code, operation: "start a process")
        if cause.isOutOfDescriptors {
            lack = .openFiles
        } else if cause.isShortage {
            lack = .other
        } else if cause.wouldWorkLater, !isMade {
            // Later the limit is one of the user that the app has for itself.
            lack = .processes
        } else {
            return nil
        }
        reason = "\(error)"
    }

    /// What `doctor` says of it after so much time, in which nothing was started.
    func finding(after time: Duration) -> Finding {
        Finding(
            .error, "resourcesExhausted",
            message: "A process could not be started \(time.words) ago, and none was since: \(reason).", fix: fix)
    }

    /// What gives more room.
    var fix: String {
        switch lack {
        case .openFiles:
            "Let the daemon open more files (LimitNOFILE= in its unit, “ulimit -n” elsewhere), or close what it has open."
        case .processes:
            "Let the daemon have more processes (TasksMax= and LimitNPROC= in its unit, “ulimit -u” elsewhere)."
        case .other: "Free some of it on this machine; starts are tried again by themselves."
        }
    }
}
