/// The part of rtnetlink's binary messages that we understand. Everything in them may be wrong or cut short.
enum RouteMessages {
    enum Message: Equatable {
        case link(NetworkReading.Interface)
        case linkRemoved(index: Int32)
        /// A route to everywhere, added or removed, with the interfaces that it leads over.
        case defaultRoute(interfaces: [Int32])
        case addressChanged
        /// The end of a dump.
        case done
        /// The errno of a refused request.
        case failure(Int32)
        /// Routes to somewhere, and whatever we do not know.
        case other
    }

    struct Item: Equatable {
        var message: Message
        var sequence: UInt32
        /// The tables changed during the dump, so that it may be inconsistent.
        var wasInterrupted: Bool
    }

    /// The messages of one datagram, as far as they are whole.
    static func parse(_ datagram: UnsafeRawBufferPointer) -> [Item] {
        var items: [Item] = []
        var offset = 0
        while let header = Header(datagram, at: offset) {
            let body = UnsafeRawBufferPointer(rebasing: datagram[offset + Header.bytes..<offset + header.length])
            items.append(
                Item(
                    message: message(type: header.type, body), sequence: header.sequence,
                    wasInterrupted: header.flags & Flags.dumpInterrupted != 0))
            offset += aligned(header.length)
        }
        return items
    }

    // MARK: Private

    private enum Flags {
        static let dumpInterrupted: UInt16 = 0x10
        static let linkUp: UInt32 = 0x1
        static let linkLoopback: UInt32 = 0x8
        static let linkRunning: UInt32 = 0x40
        /// The next hop is dead, or its link has no carrier.
        static let hopUnusable: UInt32 = 0x1 | 0x10
        static let cloned: UInt32 = 0x200
    }

    private enum Attribute {
        static let linkName: UInt16 = 3
        static let routeInterface: UInt16 = 4
        static let routeHops: UInt16 = 9
        /// The upper two bits are flags.
        static let typeMask: UInt16 = 0x3FFF
    }

    private static let unicast: UInt8 = 1
    private static let localTable: UInt8 = 255

    private struct Header {
        static let bytes = 16
        var length: Int
        var type: UInt16
        var flags: UInt16
        var sequence: UInt32

        init?(_ buffer: UnsafeRawBufferPointer, at offset: Int) {
            guard buffer.count - offset >= Self.bytes else { return nil }
            length = Int(buffer.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            type = buffer.loadUnaligned(fromByteOffset: offset + 4, as: UInt16.self)
            flags = buffer.loadUnaligned(fromByteOffset: offset + 6, as: UInt16.self)
            sequence = buffer.loadUnaligned(fromByteOffset: offset + 8, as: UInt32.self)
            guard length >= Self.bytes, length <= buffer.count - offset else { return nil }
        }
    }

    private static func message(type: UInt16, _ body: UnsafeRawBufferPointer) -> Message {
        switch type {
        case 2:
            guard body.count >= 4 else { return .other }
            let code = body.loadUnaligned(as: Int32.self)
            return code == 0 ? .other : .failure(code < 0 && code > Int32.min ? -code : code)
        case 3: return .done
        case 16: return link(body)
        case 17:
            guard body.count >= linkHeaderBytes else { return .other }
            return .linkRemoved(index: body.loadUnaligned(fromByteOffset: 4, as: Int32.self))
        case 20, 21: return .addressChanged
        case 24, 25: return route(body)
        default: return .other
        }
    }

    private static let linkHeaderBytes = 16
    private static let routeHeaderBytes = 12

    private static func link(_ body: UnsafeRawBufferPointer) -> Message {
        guard body.count >= linkHeaderBytes else { return .other }
        let flags = body.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
        var name = ""
        forEachAttribute(body, from: linkHeaderBytes) { type, value in
            if type == Attribute.linkName { name = String(decoding: value.prefix { $0 != 0 }, as: UTF8.self) }
        }
        return .link(
            NetworkReading.Interface(
                index: body.loadUnaligned(fromByteOffset: 4, as: Int32.self), name: name,
                isUp: flags & Flags.linkUp != 0, isRunning: flags & Flags.linkRunning != 0,
                isLoopback: flags & Flags.linkLoopback != 0))
    }

    private static func route(_ body: UnsafeRawBufferPointer) -> Message {
        guard body.count >= routeHeaderBytes else { return .other }
        let destinationBits = body[1]
        let table = body[4]
        let type = body[7]
        let flags = body.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
        guard destinationBits == 0, table != localTable, type == unicast, flags & Flags.cloned == 0 else {
            return .other
        }
        var interfaces: [Int32] = []
        forEachAttribute(body, from: routeHeaderBytes) { type, value in
            switch type {
            case Attribute.routeInterface where value.count >= 4 && flags & Flags.hopUnusable == 0:
                interfaces.append(value.loadUnaligned(as: Int32.self))
            case Attribute.routeHops: interfaces += usableHops(value)
            default: break
            }
        }
        return .defaultRoute(interfaces: interfaces)
    }

    /// The interfaces of a route over several.
    private static func usableHops(_ bytes: UnsafeRawBufferPointer) -> [Int32] {
        let headerBytes = 8
        var interfaces: [Int32] = []
        var offset = 0
        while bytes.count - offset >= headerBytes {
            let length = Int(bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
            guard length >= headerBytes, length <= bytes.count - offset else { break }
            if UInt32(bytes[offset + 2]) & Flags.hopUnusable == 0 {
                interfaces.append(bytes.loadUnaligned(fromByteOffset: offset + 4, as: Int32.self))
            }
            offset += aligned(length)
        }
        return interfaces
    }

    private static func forEachAttribute(
        _ body: UnsafeRawBufferPointer, from start: Int, _ visit: (UInt16, UnsafeRawBufferPointer) -> Void
    ) {
        let headerBytes = 4
        var offset = start
        while body.count - offset >= headerBytes {
            let length = Int(body.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
            guard length >= headerBytes, length <= body.count - offset else { return }
            let type = body.loadUnaligned(fromByteOffset: offset + 2, as: UInt16.self) & Attribute.typeMask
            visit(type, UnsafeRawBufferPointer(rebasing: body[offset + headerBytes..<offset + length]))
            offset += aligned(length)
        }
    }

    private static func aligned(_ length: Int) -> Int {
        (length + 3) & ~3
    }
}
