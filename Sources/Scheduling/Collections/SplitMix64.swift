/// A seeded generator of numbers: the same seed gives the same numbers everywhere (SplitMix64; Steele, Lea and Flood, 2014).
package struct SplitMix64: Sendable, Hashable, Codable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 on that is smaller than the bound, which is at least 1.
    package mutating func below(_ bound: Int) -> Int {
        Int(next() >> 33) % bound
    }

    /// `true` in so many of a hundred cases.
    package mutating func chance(_ percent: Int) -> Bool {
        below(100) < percent
    }

    package mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }
}
