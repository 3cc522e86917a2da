import CCoverage
import FoundationEssentials
import Glibc

/// Conversations that made the service do what none before them did, as far as the program was built to count that.
///
/// They are files of a folder, so that the next run begins with them.
struct Corpus {
    /// Longer ones are not kept: they would only become longer and longer.
    private static let longest = 16_384

    private let folder: String
    private(set) var conversations: [[UInt8]] = []

    init(folder: String) throws {
        self.folder = folder
        if Self.canLearn { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }
    }

    /// Whether this program was built so that branches are counted.
    static var canLearn: Bool { coverage_branches() > 0 }

    /// "12,345 of 67,890 branches"
    static var reached: String { "\(coverage_reached()) of \(coverage_branches()) branches" }

    /// What earlier runs have kept.
    func earlier() throws -> [[UInt8]] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted().compactMap { name in
            FileManager.default.contents(atPath: folder + "/" + name).map { [UInt8]($0) }
        }
    }

    /// Keeps what was sent just now, if it did anything new; what was kept by an earlier run and is not new goes.
    mutating func learn(_ conversation: [UInt8]) throws {
        guard Self.canLearn else { return }
        let file = folder + "/" + Self.name(of: conversation)
        if coverage_take() > 0, conversation.count <= Self.longest {
            conversations.append(conversation)
            try Data(conversation).write(to: URL(fileURLWithPath: file))
        } else {
            unlink(file)
        }
    }

    /// The same for the same bytes.
    private static func name(of conversation: [UInt8]) -> String {
        let hash = conversation.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return String(hash, radix: 16)
    }
}
