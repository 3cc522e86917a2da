/// A hash that is the same in every process (64-bit FNV-1a); it notices changes and resists no attack.
package struct StableHash: Hashable, Sendable {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    package init() {}

    /// Adds bytes, and their number, so that the same bytes cut otherwise give another hash.
    package mutating func combine(_ bytes: some Collection<UInt8>) {
        for byte in bytes { add(byte) }
        combine(UInt64(bytes.count))
    }

    package mutating func combine(_ text: String) {
        combine(text.utf8)
    }

    package mutating func combine(_ value: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: value >> UInt64(shift))) }
    }

    private mutating func add(_ byte: UInt8) {
        state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }

    /// 16 hexadecimal digits.
    package var text: String {
        let digits = String(state, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
