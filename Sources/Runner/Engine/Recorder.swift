import FoundationEssentials
package import Scheduling

/// Writes the starting state and every event as the core encodes them, one JSON text a line (`runnerd --record`).
///
/// Unchecked because it is used on the loop only.
package final class Recorder: @unchecked Sendable {
    /// One line of a recording.
    package enum Entry: Codable, Hashable, Sendable {
        case start(policy: Policy, contents: StoreContents, boot: BootIdentifier, at: Moment)
        case event(Event, at: Moment)
        /// The store failed and the scheduler was reloaded from it.
        case reload(StoreContents, at: Moment)
    }

    private let encoder = JSONEncoder()
    private let write: ([UInt8]) -> Void

    /// A recorder that hands each line, with its LF, to `write`.
    package init(
        policy: Policy, contents: StoreContents, boot: BootIdentifier, at now: Moment,
        write: @escaping ([UInt8]) -> Void
    ) {
        self.write = write
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        put(.start(policy: policy, contents: contents, boot: boot, at: now))
    }

    func record(_ event: Event, at now: Moment) {
        put(.event(event, at: now))
    }

    func record(reload contents: StoreContents, at now: Moment) {
        put(.reload(contents, at: now))
    }

    /// Reads a recording; throws for a line that is not one.
    package static func read(lines: some Sequence<[UInt8]>) throws -> [Entry] {
        let decoder = JSONDecoder()
        return try lines.map { try decoder.decode(Entry.self, from: Data($0)) }
    }

    private func put(_ entry: Entry) {
        // Every value of these types has an encoding: integers, strings and finite numbers.
        guard let data = try? encoder.encode(entry) else { return }
        write([UInt8](data) + [UInt8(ascii: "\n")])
    }
}
