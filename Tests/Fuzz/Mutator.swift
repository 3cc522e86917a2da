import Scheduling
import TestSupport

/// Makes conversations out of seeds: some lines as they are, some changed a little, some changed beyond recognition.
struct Mutator {
    private static let tokens: [[UInt8]] =
        [
            "{", "}", "[", "]", "\"", ":", ",", "\\", "\\u0000", "\\ud83d", "\n", "\r\n", " ", "\t", "null", "true",
            "-0", "1e999",
            "0.1", "9223372036854775807", "9223372036854775808", "-9223372036854775809", "\"id\":", "\"method\":",
            "\"params\":",
            "\"jsonrpc\":\"2.0\"", "\"result\":1", "\"error\":{}", "[]", "{}", "//", "\u{FEFF}", "é", "😀",
        ].map { Array($0.utf8) } + [[0], [0xFF], [0xC3], [0xED, 0xA0, 0x80], [0x80]]

    private static let longestConversation = 8

    private let seeds: [[UInt8]]
    private var random: SplitMix64

    init(seeds: [[UInt8]], seed: UInt64) {
        self.seeds = seeds
        random = SplitMix64(seed: seed)
    }

    /// What a client sends before it says that it sends no more: something new, or made out of what was kept.
    mutating func conversation(from kept: [[UInt8]]) -> [UInt8] {
        guard !kept.isEmpty, !random.isOne(in: 2) else { return conversation() }
        var bytes = kept[random.below(kept.count)]
        switch random.below(4) {
        // Conversations do more when they go on.
        case 0: bytes += kept[random.below(kept.count)]
        case 1: bytes += conversation()
        case 2:
            let other = kept[random.below(kept.count)]
            bytes.replaceSubrange(random.below(bytes.count + 1)..., with: other[random.below(other.count + 1)...])
        default: break
        }
        for _ in 0..<random.below(5) { change(&bytes) }
        return bytes
    }

    /// Places at which the stream is cut into writes.
    mutating func cuts(of count: Int) -> [Int] {
        guard count > 1, random.isOne(in: 2) else { return [] }
        return (0...random.below(4)).map { _ in 1 + random.below(count - 1) }.sorted()
    }

    // MARK: - Private

    private mutating func conversation() -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0...random.below(Self.longestConversation) {
            bytes += line()
            if !random.isOne(in: 32) { bytes.append(UInt8(ascii: "\n")) }
        }
        return bytes
    }

    private mutating func line() -> [UInt8] {
        var line = seeds[random.below(seeds.count)]
        switch random.below(4) {
        case 0: break
        case 1: line = batch(beginning: line)
        default: for _ in 0...random.below(4) { change(&line) }
        }
        return line
    }

    private mutating func batch(beginning first: [UInt8]) -> [UInt8] {
        var batch = [UInt8(ascii: "[")] + first
        let longest = random.isOne(in: 8) ? 70 : 4
        for _ in 0..<random.below(longest) {
            batch.append(UInt8(ascii: ","))
            batch += seeds[random.below(seeds.count)]
        }
        return batch + [UInt8(ascii: "]")]
    }

    private mutating func change(_ line: inout [UInt8]) {
        let start = random.below(line.count + 1)
        let end = min(line.count, start + random.below(16))
        switch random.below(9) {
        case 0 where start < line.count: line[start] ^= 1 << UInt8(random.below(8))
        case 1 where start < line.count: line[start] = UInt8(truncatingIfNeeded: random.next())
        case 2: line.removeSubrange(start..<end)
        case 3: line.insert(contentsOf: Self.tokens[random.below(Self.tokens.count)], at: start)
        case 4: line.replaceSubrange(start..<end, with: Self.tokens[random.below(Self.tokens.count)])
        case 5: line.insert(contentsOf: line[start..<end], at: start)
        case 6: line.removeSubrange(start...)
        case 7:
            let other = seeds[random.below(seeds.count)]
            line.replaceSubrange(start..., with: other[random.below(other.count + 1)...])
        case 8 where random.isOne(in: 4):
            let token = Self.tokens[random.below(Self.tokens.count)]
            for _ in 0..<random.below(64) { line.insert(contentsOf: token, at: start) }
        default: break
        }
    }
}

extension SplitMix64 {
    fileprivate mutating func isOne(in count: Int) -> Bool {
        below(count) == 0
    }
}
