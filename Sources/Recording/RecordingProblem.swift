/// Why a file cannot be lived through again.
package enum RecordingProblem: Error, Hashable, Sendable {
    /// Its first line is not a recording's.
    case notARecording
    case otherVersion(Int, writer: String)
    /// A line, counted from 1, is not what must stand there.
    case damaged(line: Int)
    /// It ends before anything happened.
    case empty

    /// Completes “FILE …”.
    package var words: String {
        switch self {
        case .notARecording: "is no recording; runnerd --record FILE makes one"
        case .otherVersion(let version, let writer):
            "is a recording of format \(version), made by runnerd \(writer), and this program reads format "
                + "\(RecordingHeader.version); use the runnerctl of that version"
        case .damaged(let line): "is damaged: line \(line) is not what a recording has there"
        case .empty: "ends before its starting state; the recording was cut off"
        }
    }
}
