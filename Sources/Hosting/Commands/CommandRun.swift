import Platform
import SystemPlatform

/// A command that was started: its process, and the three streams that come from it.
final class CommandRun {
    enum Stream: String, CaseIterable {
        case output = "stdout"
        case error = "stderr"
        /// Lines on descriptor 3 that tell how far it is.
        case progress
    }

    let process: ChildProcess
    /// Until the leader has ended.
    var exitWatch: WatchToken?
    var sources: [LineSource] = []
    /// Whether it got its expiration signal.
    var isExpired = false
    /// While the leader has ended, and what it left in its group has not.
    var groupWatch: EndWatch?

    init(process: ChildProcess) {
        self.process = process
    }
}
