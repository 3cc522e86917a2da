/// Walks the objects of a binary property list before it is decoded.
///
/// FoundationEssentials' decoder follows a list that holds itself, or that nests very deep, until the process ends.
struct BinaryPropertyListCheck {
    private static let depthLimit = 32
    private static let visitLimit = 100_000
    private static let trailerSize = 32

    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let objectCount: UInt64
    private let topObject: UInt64
    private let offsetTable: Int
    private var visits = 0

    static func check(_ bytes: [UInt8]) throws(ManifestSyntaxError) {
        var check = try BinaryPropertyListCheck(bytes)
        try check.visit(check.topObject, depth: 1)
    }

    private init(_ bytes: [UInt8]) throws(ManifestSyntaxError) {
        guard bytes.count >= 8 + Self.trailerSize else { throw Self.damaged }
        self.bytes = bytes
        let trailer = bytes.count - Self.trailerSize
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        func word(_ position: Int) -> UInt64 {
            bytes[(trailer + position)..<(trailer + position + 8)].reduce(0) { $0 << 8 | UInt64($1) }
        }
        objectCount = word(8)
        topObject = word(16)
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), let table = Int(exactly: word(24)),
            table >= 8, table <= trailer, objectCount <= UInt64((trailer - table) / offsetSize)
        else { throw Self.damaged }
        offsetTable = table
    }

    private mutating func visit(_ object: UInt64, depth: Int) throws(ManifestSyntaxError) {
        guard depth <= Self.depthLimit else {
            throw ManifestSyntaxError("Arrays and dictionaries nest deeper than \(Self.depthLimit) levels.")
        }
        visits += 1
        guard visits <= Self.visitLimit else {
            throw ManifestSyntaxError("The binary property list holds more than \(Self.visitLimit) values.")
        }
        guard object < objectCount,
            let position = number(at: offsetTable + Int(object) * offsetSize, size: offsetSize),
            let offset = Int(exactly: position), offset >= 8, offset < offsetTable
        else { throw Self.damaged }
        let marker = bytes[offset]
        let referencesPerElement: Int
        switch marker >> 4 {
        case 0xA, 0xC: referencesPerElement = 1
        case 0xD: referencesPerElement = 2
        default: return
        }
        let (count, start) = try elementCount(marker: marker, offset: offset)
        let references = count * referencesPerElement
        guard references <= (offsetTable - start) / referenceSize else { throw Self.damaged }
        for index in 0..<references {
            guard let element = number(at: start + index * referenceSize, size: referenceSize) else {
                throw Self.damaged
            }
            try visit(element, depth: depth + 1)
        }
    }

    /// The number of elements, and where the references to them begin.
    private func elementCount(marker: UInt8, offset: Int) throws(ManifestSyntaxError) -> (count: Int, start: Int) {
        if marker & 0xF != 0xF { return (Int(marker & 0xF), offset + 1) }
        guard offset + 1 < offsetTable, bytes[offset + 1] >> 4 == 1, bytes[offset + 1] & 0xF <= 3 else {
            throw Self.damaged
        }
        let size = 1 << Int(bytes[offset + 1] & 0xF)
        guard let count = number(at: offset + 2, size: size), count <= UInt64(bytes.count) else { throw Self.damaged }
        return (Int(count), offset + 2 + size)
    }

    private func number(at offset: Int, size: Int) -> UInt64? {
        guard offset >= 0, offset + size <= bytes.count else { return nil }
        return bytes[offset..<(offset + size)].reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static let damaged = ManifestSyntaxError("The binary property list is damaged.")
}
