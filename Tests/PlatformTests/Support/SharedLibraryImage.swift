/// The bytes of a small shared library, made member by member, so that each of them can be wrong.
struct SharedLibraryImage {
    enum HashTable: CaseIterable, Sendable {
        case gnu
        case older
    }

    struct Symbol: Sendable {
        static let function: UInt8 = 2
        static let object: UInt8 = 1
        static let global: UInt8 = 1 << 4
        static let local: UInt8 = 0

        var name: String
        var isDefined = true
        /// Its binding and type.
        var information = Symbol.global | Symbol.function
        var visibility: UInt8 = 0
    }

    /// What marks a dynamic entry, and where.
    static let dynamicFlags: UInt64 = 0x6FFF_FFFB
    static let positionIndependentExecutable: UInt64 = 0x0800_0000
    static let notOpenable: UInt64 = 0x40

    #if arch(x86_64)
        static let machine: UInt16 = 62
        static let otherMachine: (number: UInt16, name: String) = (183, "aarch64")
    #else
        static let machine: UInt16 = 183
        static let otherMachine: (number: UInt16, name: String) = (62, "x86_64")
    #endif

    var symbols = [Symbol(name: "helper"), Symbol(name: "runner_plugin_main")]
    var hashTable = HashTable.gnu
    var type: UInt16 = 3
    var machine = SharedLibraryImage.machine
    /// Further entries of the dynamic section.
    var entries: [(tag: UInt64, value: UInt64)] = []
    var hasDynamicSection = true

    /// Where the bytes say at which place the name of a symbol begins; the first one is none.
    static func nameOffset(ofSymbol index: Int) -> Int {
        64 + 2 * 56 + index * 24
    }

    var bytes: [UInt8] {
        // Those that are not defined come first; a GNU hash table does not know them.
        let symbols = symbols.filter { !$0.isDefined } + symbols.filter(\.isDefined)
        var names: [UInt8] = [0]
        var table = ByteWriter(zeros: 24)
        for symbol in symbols {
            table.put(UInt32(names.count))
            table.put(symbol.information)
            table.put(symbol.visibility)
            table.put(UInt16(symbol.isDefined ? 1 : 0))
            table.put(UInt64(symbol.isDefined ? 0x40 : 0))
            table.put(UInt64(1))
            names += Array(symbol.name.utf8) + [0]
        }
        let hash = hashTable == .gnu ? Self.gnuHash(symbols) : Self.olderHash(symbols)

        let symbolsAt = UInt64(64 + 2 * 56)
        let namesAt = symbolsAt + UInt64(table.bytes.count)
        let hashAt = (namesAt + UInt64(names.count) + 7) & ~7
        let dynamicAt = (hashAt + UInt64(hash.bytes.count) + 7) & ~7
        var dynamic = ByteWriter()
        let hashTag: UInt64 = hashTable == .gnu ? 0x6FFF_FEF5 : 4
        let described: [(UInt64, UInt64)] = [
            (5, namesAt), (6, symbolsAt), (10, UInt64(names.count)), (11, 24), (hashTag, hashAt),
        ]
        for (tag, value) in described + entries.map({ ($0.tag, $0.value) }) + [(0, 0)] {
            dynamic.put(tag)
            dynamic.put(value)
        }
        let size = dynamicAt + UInt64(dynamic.bytes.count)

        var file = header()
        file.putSegment(type: 1, offset: 0, size: size)
        file.putSegment(type: hasDynamicSection ? 2 : 0, offset: dynamicAt, size: UInt64(dynamic.bytes.count))
        file.bytes += table.bytes + names
        file.pad(to: hashAt)
        file.bytes += hash.bytes
        file.pad(to: dynamicAt)
        file.bytes += dynamic.bytes
        return file.bytes
    }

    // MARK: Private

    private func header() -> ByteWriter {
        var file = ByteWriter()
        file.bytes = [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0] + [UInt8](repeating: 0, count: 8)
        file.put(type)
        file.put(machine)
        file.put(UInt32(1))
        file.put(UInt64(0))
        file.put(UInt64(64))
        file.put(UInt64(0))
        file.put(UInt32(0))
        for half: UInt16 in [64, 56, 2, 64, 0, 0] { file.put(half) }
        return file
    }

    private static func gnuHash(_ symbols: [Symbol]) -> ByteWriter {
        let first = UInt32(symbols.prefix { !$0.isDefined }.count + 1)
        let defined = symbols.dropFirst(Int(first) - 1)
        var table = ByteWriter()
        for word: UInt32 in [1, first, 1, 0] { table.put(word) }
        table.put(UInt64.max)
        table.put(defined.isEmpty ? 0 : first)
        for (index, symbol) in defined.enumerated() {
            let hash = symbol.name.utf8.reduce(UInt32(5381)) { $0 &* 33 &+ UInt32($1) }
            table.put(hash & ~1 | (index == defined.count - 1 ? 1 : 0))
        }
        return table
    }

    private static func olderHash(_ symbols: [Symbol]) -> ByteWriter {
        var table = ByteWriter()
        let count = UInt32(symbols.count + 1)
        table.put(UInt32(1))
        table.put(count)
        // One bucket, whose chain goes through all symbols.
        table.put(count > 1 ? 1 : UInt32(0))
        for index in 0..<count { table.put(index > 0 && index + 1 < count ? index + 1 : 0) }
        return table
    }
}

/// Puts numbers behind each other, the lowest byte first.
struct ByteWriter {
    var bytes: [UInt8] = []

    init(zeros count: Int = 0) {
        bytes = [UInt8](repeating: 0, count: count)
    }

    mutating func put<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }

    mutating func pad(to offset: UInt64) {
        bytes += repeatElement(0, count: Int(offset) - bytes.count)
    }

    /// A program header of a segment that can be read and written.
    mutating func putSegment(type: UInt32, offset: UInt64, size: UInt64) {
        put(type)
        put(UInt32(6))
        for word in [offset, offset, offset, size, size, type == 1 ? 4_096 : 8] { put(word) }
    }
}
