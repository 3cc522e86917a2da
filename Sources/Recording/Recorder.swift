package import FoundationEssentials
package import Scheduling

/// Writes the starting state, every event and its effects as the core encodes them (`runnerd --record`).
///
/// One JSON text a line. Unchecked because it is used on the loop only.
package final class Recorder: @unchecked Sendable {
    private let encoder = Recorder.makeEncoder()
    private let write: ([UInt8]) -> Void

    /// A recorder that hands each line, with its LF, to `write`.
    ///
    /// - Parameter writer: the version of this program.
    package init(
        policy: Policy, contents: StoreContents, boot: BootIdentifier, at now: Moment, writer: String,
        write: @escaping ([UInt8]) -> Void
    ) {
        self.write = write
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

    /// What encodes values as a recording has them.
    package static func makeEncoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    // MARK: Private

    private func put(_ line: some Encodable) {
        // Every value of these types has an encoding: integers, strings and finite numbers.
        guard let data = try? encoder.encode(line) else { return }
        write([UInt8](data) + [UInt8(ascii: "\n")])
    }
}
