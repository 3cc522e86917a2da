/// Finds the name that somebody probably meant.
package enum NearestName {
    /// Longer names are cut before they are compared: the effort grows with both lengths.
    private static let longest = 128

    /// The candidate that takes the fewest changes, if these are few enough; `nil` when none is near.
    ///
    /// The case of letters and the signs between words count for nothing, and a name that was only begun finds what it
    /// begins. Of several that are equally near the first in alphabetical order wins, because the candidates may come
    /// from a set.
    package static func nearest(to name: String, among candidates: some Sequence<String>) -> String? {
        let wanted = letters(of: name)
        guard !wanted.isEmpty else { return nil }
        var best: (name: String, distance: Int)?
        var begun: String?
        for candidate in candidates {
            let letters = letters(of: candidate)
            let bound = max(1, max(wanted.count, letters.count) / 3)
            if let distance = distance(wanted, letters, atMost: min(bound, best?.distance ?? bound)),
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
    private static func letters(of name: String) -> [UInt8] {
        name.utf8.prefix(longest).compactMap { byte in
            switch byte {
            case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: " "): nil
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
            default: byte
            }
        }
    }

    /// How many bytes must be inserted, removed, replaced or swapped with a neighbour; `nil` when more than `bound`.
    private static func distance(_ first: [UInt8], _ second: [UInt8], atMost bound: Int) -> Int? {
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
        let left = Array(first[begin..<(first.count - end)])
        let right = Array(second[begin..<(second.count - end)])
        var twoAbove: [Int] = []
        var above = Array(0...right.count)
        for (row, byte) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                var steps = min(above[column] + (byte == other ? 0 : 1), above[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, byte == right[column - 1], left[row - 1] == other {
                    steps = min(steps, twoAbove[column - 1] + 1)
                }
                current.append(steps)
            }
            twoAbove = above
            above = current
        }
        let steps = above[right.count]
        return steps <= bound ? steps : nil
    }
}
