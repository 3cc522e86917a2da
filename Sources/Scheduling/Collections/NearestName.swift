/// Finds the name that somebody probably meant.
package enum NearestName {
    /// What is looked at in all, letters and pairs of them; what is found until then is the answer. Others wait
    /// meanwhile, and whoever gives names may give the worst ones.
    private static let effort = 32_768

    /// Names differ in no more than this, however long they are.
    private static let farthest = 3

    /// The candidate that takes the fewest changes, if these are few enough; `nil` when none is near.
    ///
    /// The case of letters and the signs between words count for nothing, and a name that was only begun finds what it
    /// begins. At most a third may differ of what follows the components that both begin with: the names of one app all
    /// begin alike, which makes none of them near. A pattern that ends in `.*` is held against as many components as it
    /// has. Of several that are equally near the first in alphabetical order wins, because the candidates may come from a
    /// set.
    package static func nearest(to name: String, among candidates: some Sequence<String>) -> String? {
        let wanted = ComparedName(name)
        guard !wanted.letters.isEmpty else { return nil }
        var best: (name: String, distance: Int)?
        var begun: String?
        var other = ComparedName()
        var comparison = Comparison()
        var looked = 0
        for candidate in candidates where looked + comparison.pairs < effort {
            other.read(candidate)
            looked += 1 + other.letters.count
            let (left, right) = wanted.comparable(with: other)
            let shared = wanted.sharedBeginning(with: other)
            let bound = min(farthest, max(1, (max(left.count, right.count) - shared) / 3))
            if let distance = comparison.distance(left, right, atMost: min(bound, best?.distance ?? bound)),
                distance < right.count, isBetter(candidate, distance, than: best)
            {
                best = (candidate, distance)
            }
            if wanted.letters.count >= 3, other.letters.starts(with: wanted.letters) {
                begun = begun.map { min($0, candidate) } ?? candidate
            }
        }
        return best?.name ?? begun
    }

    private static func isBetter(_ name: String, _ distance: Int, than best: (name: String, distance: Int)?) -> Bool {
        guard let best else { return true }
        return (distance, name) < (best.distance, best.name)
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
    mutating func distance(_ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>, atMost bound: Int) -> Int? {
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
        return steps(first[begin..<(first.count - end)], second[begin..<(second.count - end)], atMost: bound)
    }

    private mutating func steps(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>, atMost bound: Int) -> Int? {
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
