/// Finds the name that somebody probably meant.
package enum NearestName {
    /// Longer names are cut before they are compared: the effort grows with both lengths.
    private static let longest = 128

    /// What is looked at in all, letters and pairs of them; what is found until then is the answer. Others wait
    /// meanwhile, and whoever gives names may give the worst ones.
    private static let effort = 32_768

    /// The candidate that takes the fewest changes, if these are few enough; `nil` when none is near.
    ///
    /// The case of letters and the signs between words count for nothing, and a name that was only begun finds what it
    /// begins. Of several that are equally near the first in alphabetical order wins, because the candidates may come
    /// from a set.
    package static func nearest(to name: String, among candidates: some Sequence<String>) -> String? {
        var wanted: [UInt8] = []
        appendLetters(of: name, to: &wanted)
        guard !wanted.isEmpty else { return nil }
        var best: (name: String, distance: Int)?
        var begun: String?
        var letters: [UInt8] = []
        var comparison = Comparison()
        var looked = 0
        for candidate in candidates where looked + comparison.pairs < effort {
            letters.removeAll(keepingCapacity: true)
            appendLetters(of: candidate, to: &letters)
            looked += 1 + letters.count
            let bound = max(1, max(wanted.count, letters.count) / 3)
            if let distance = comparison.distance(wanted, letters, atMost: min(bound, best?.distance ?? bound)),
                distance < letters.count, isBetter(candidate, distance, than: best)
            {
                best = (candidate, distance)
            }
            if wanted.count >= 3, letters.starts(with: wanted) { begun = begun.map { min($0, candidate) } ?? candidate }
        }
        return best?.name ?? begun
    }

    private static func isBetter(_ name: String, _ distance: Int, than best: (name: String, distance: Int)?) -> Bool {
        guard let best else { return true }
        return (distance, name) < (best.distance, best.name)
    }

    /// The bytes that count.
    private static func appendLetters(of name: String, to letters: inout [UInt8]) {
        for byte in name.utf8.prefix(longest) {
            switch byte {
            case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: " "): break
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): letters.append(byte | 0x20)
            default: letters.append(byte)
            }
        }
    }
}

/// Compares names, one after the other, in the same rows.
private struct Comparison {
    /// Pairs of letters that were looked at so far.
    private(set) var pairs = 0
    private var twoAbove: [Int] = []
    private var above: [Int] = []
    private var current: [Int] = []

    /// How many bytes must be inserted, removed, replaced or swapped with a neighbour; `nil` when more than `bound`.
    mutating func distance(_ first: [UInt8], _ second: [UInt8], atMost bound: Int) -> Int? {
        guard abs(first.count - second.count) <= bound else { return nil }
        // What both begin and end with needs no change, and names of one app begin alike.
        var begin = 0
        while begin < first.count, begin < second.count, first[begin] == second[begin] { begin += 1 }
        var end = 0
        while end < first.count - begin, end < second.count - begin,
            first[first.count - 1 - end] == second[second.count - 1 - end]
        {
            end += 1
        }
        return distance(first[begin..<(first.count - end)], second[begin..<(second.count - end)], atMost: bound)
    }

    private mutating func distance(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>, atMost bound: Int) -> Int? {
        above.removeAll(keepingCapacity: true)
        above.append(contentsOf: 0...right.count)
        var (beforeLeft, row) = (UInt8(0), 0)
        for byte in left {
            row += 1
            current.removeAll(keepingCapacity: true)
            current.append(row)
            var (beforeRight, column, least) = (UInt8(0), 0, row)
            for other in right {
                column += 1
                var steps = min(
                    above[column - 1] + (byte == other ? 0 : 1), above[column] + 1, current[column - 1] + 1)
                if row > 1, column > 1, byte == beforeRight, beforeLeft == other {
                    steps = min(steps, twoAbove[column - 2] + 1)
                }
                current.append(steps)
                least = min(least, steps)
                beforeRight = other
            }
            pairs += right.count
            // A swap reaches back two rows, so that one alone may be beyond the bound.
            guard least <= bound + 1 else { return nil }
            beforeLeft = byte
            (twoAbove, above, current) = (above, current, twoAbove)
        }
        let steps = above[right.count]
        return steps <= bound ? steps : nil
    }
}
