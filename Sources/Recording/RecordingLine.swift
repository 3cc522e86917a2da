package import Scheduling

/// One line of a recording, after the first.
package enum RecordingLine: Codable, Hashable, Sendable {
    case start(policy: Policy, contents: StoreContents, boot: BootIdentifier, at: Moment)
    case event(Event, at: Moment)
    /// What the scheduler wanted done for the event of the line before. A line of its own, so that an event at which the
    /// daemon died is still there.
    case effects([Effect])
    /// The store failed and the scheduler was reloaded from it.
    case reload(StoreContents, at: Moment)
}

/// The first line of a recording, which every version can read.
package struct RecordingHeader: Codable, Hashable, Sendable {
    package struct Format: Codable, Hashable, Sendable {
        package var version: Int
        /// The version of the program that wrote it.
        package var writer: String
    }

    /// The format that is written and read here; it changes with the shape of any event or effect.
    package static let version = 3

    package var recording: Format

    package init(writer: String, version: Int = RecordingHeader.version) {
        recording = Format(version: version, writer: writer)
    }
}
