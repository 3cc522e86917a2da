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

    struct Source {
        let descriptor: OwnedDescriptor
        var watch: WatchToken?
        var splitter: LineSplitter
    }

    let process: ChildProcess
    var exitWatch: WatchToken?
    var sources: [Stream: Source] = [:]
    /// While the leader has ended, and what it left in its group has not.
    var groupWatch: EndWatch?

    init(process: ChildProcess) {
        self.process = process
    }
}
