import Scheduling

/// Chooses among what could go next: the first, or by a seed.
struct SeededOrder: Sendable {
    private var random: SplitMix64
    private let isFirst: Bool

    /// - Parameter seed: 0 chooses the first, always.
    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        isFirst = seed == 0
    }

    /// A number below the count.
    mutating func choose(_ count: Int) -> Int {
        guard !isFirst, count > 1 else { return 0 }
        return random.below(count)
    }
}
