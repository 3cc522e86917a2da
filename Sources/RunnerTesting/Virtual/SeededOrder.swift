/// Chooses among what could go next: the first, or by a seed.
struct SeededOrder: Sendable {
    private var state: UInt64
    private let isFirst: Bool

    /// - Parameter seed: 0 chooses the first, always.
    init(seed: UInt64) {
        state = seed
        isFirst = seed == 0
    }

    /// A number below the count.
    mutating func choose(_ count: Int) -> Int {
        guard !isFirst, count > 1 else { return 0 }
        return Int(next() >> 33) % count
    }

    // SplitMix64 (Steele, Lea and Flood, 2014).
    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
