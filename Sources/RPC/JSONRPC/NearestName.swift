/// Finds what somebody probably meant.
package enum NearestName {
    /// Longer names are not compared: the effort grows with both lengths.
    private static let lengthLimit = 128

    /// The candidate that takes the fewest changes, if few enough: a third of its length. Of several, the first.
    ///
    /// Case and the signs between words count for nothing, so that `simulate-launch` finds `simulateLaunch`; a name
    /// that was only begun finds what it begins.
    package static func find(_ name: String, in candidates: some Sequence<String>) -> String? {
        guard name.utf8.count <= lengthLimit else { return nil }
        let wanted = letters(name)
        guard !wanted.isEmpty else { return nil }
        var best: (name: String, distance: Int)?
        var begun: String?
        for candidate in candidates where candidate.utf8.count <= lengthLimit {
            let letters = letters(candidate)
            let bound = max(1, max(letters.count, wanted.count) / 3)
            if let distance = distance(wanted, letters, atMost: min(bound, (best?.distance ?? Int.max) - 1)) {
                best = (candidate, distance)
            }
            if begun == nil, wanted.count >= 3, letters.starts(with: wanted) { begun = candidate }
        }
        return best?.name ?? begun
    }

    private static func letters(_ name: String) -> [UInt8] {
        name.utf8.compactMap { byte in
            switch byte {
            case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: " "): nil
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte + 0x20
            default: byte
            }
        }
    }

    /// Insertions, removals, replacements and swaps of neighbours that make one of the other; nil when over `bound`.
    private static func distance(_ first: [UInt8], _ second: [UInt8], atMost bound: Int) -> Int? {
        guard bound >= 0, abs(first.count - second.count) <= bound else { return nil }
        var beforeLast = [Int](repeating: 0, count: second.count + 1)
        var last = Array(0...second.count)
        for row in first.indices {
            var current = [row + 1]
            current.reserveCapacity(second.count + 1)
            for column in second.indices {
                let replaced = last[column] + (first[row] == second[column] ? 0 : 1)
                var cost = min(replaced, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            beforeLast = last
            last = current
        }
        return last[second.count] <= bound ? last[second.count] : nil
    }
}
