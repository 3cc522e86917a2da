import FoundationEssentials
package import Scheduling

/// Writes the starting state, every event and its effects as the core encodes them (`runnerd --record`).
///
/// One JSON text a line. Unchecked because it is used on the loop only.
package final class Recorder: @unchecked Sendable {
    private let encoder = JSONEncoder()
    private let write: ([UInt8]) -> Void

    /// A recorder that hands each line, with its LF, to `write`.
    ///
    /// - Parameter writer: the version of this program.
    package init(
        policy: Policy, contents: StoreContents, boot: BootIdentifier, at now: Moment, writer: String,
        write: @escaping ([UInt8]) -> Void
    ) {
        self.write = write
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        put(RecordingHeader(writer: writer))
        put(RecordingLine.start(policy: policy, contents: contents, boot: boot, at: now))
    }

    package func record(_ event: Event, at now: Moment) {
        put(RecordingLine.event(event, at: now))
    }

    /// What the scheduler wanted done for the event that was recorded last.
    package func record(_ effects: [Effect]) {
        put(RecordingLine.effects(effects))
    }

    package func record(reload contents: StoreContents, at now: Moment) {
        put(RecordingLine.reload(contents, at: now))
    }

    // MARK: Private

    private func put(_ line: some Encodable) {
        // Every value of these types has an encoding: integers, strings and finite numbers.
        guard let data = try? encoder.encode(line) else { return }
        write([UInt8](data) + [UInt8(ascii: "\n")])
    }
}
