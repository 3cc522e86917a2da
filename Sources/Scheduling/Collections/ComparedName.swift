/// What counts of a name when it is held against others.
struct ComparedName {
    /// Longer names are cut before they are compared: the effort grows with both lengths.
    private static let longest = 128

    /// The bytes that count.
    private(set) var letters: [UInt8] = []
    /// How many letters there are before each dot.
    private var dots: [Int] = []

    init(_ name: String = "") {
        read(name)
    }

    /// Takes another name, in the same memory.
    mutating func read(_ name: String) {
        letters.removeAll(keepingCapacity: true)
        dots.removeAll(keepingCapacity: true)
        for byte in name.utf8.prefix(Self.longest) {
            switch byte {
            case UInt8(ascii: "."): dots.append(letters.count)
            case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: " "): break
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): letters.append(byte | 0x20)
            default: letters.append(byte)
            }
        }
    }

    /// What of both is compared: where the other is a pattern, what stands for it in this name.
    func comparable(with other: ComparedName) -> (ArraySlice<UInt8>, ArraySlice<UInt8>) {
        let components = other.dots.count
        guard components > 0, other.letters.last == UInt8(ascii: "*"), dots.count >= components else {
            return (letters[...], other.letters[...])
        }
        return (letters[..<dots[components - 1]], other.letters.dropLast())
    }

    /// How many letters there are in the components that both begin with.
    func sharedBeginning(with other: ComparedName) -> Int {
        var shared = 0
        for (dot, same) in zip(dots, other.dots) {
            guard dot == same, letters[shared..<dot] == other.letters[shared..<dot] else { break }
            shared = dot
        }
        return shared
    }
}
