import Scheduling

/// The methods of a service, each with what handles it. Looking one up costs the same however many there are.
package struct MethodTable<Handler> {
    /// A class, so that looking one up copies nothing.
    package final class Row {
        package let method: MethodDescription
        package let handler: Handler

        package init(_ method: MethodDescription, _ handler: Handler) {
            self.method = method
            self.handler = handler
        }
    }

    /// In the order in which they are listed for people.
    package let rows: [Row]

    /// The same methods apart from their handlers, so that finding one needs to know nothing of these.
    private let methods: [MethodDescription]
    private let names: [[UInt8]]
    /// Open addressing over a power of two: an index of `rows`, or −1.
    private let slots: [Int]

    package init(_ rows: [Row]) {
        let names = rows.map { Array($0.method.name.utf8) }
        precondition(Set(names).count == names.count, "two methods have the same name")
        var capacity = 4
        while capacity < rows.count * 2 { capacity *= 2 }
        var slots = Array(repeating: -1, count: capacity)
        for (index, name) in names.enumerated() {
            var slot = name.withUnsafeBufferPointer { MethodName.hash($0) } & (capacity - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (capacity - 1) }
            slots[slot] = index
        }
        self.rows = rows
        methods = rows.map { $0.method }
        self.names = names
        self.slots = slots
    }

    package func lookup(_ name: String) throws(RPCError) -> Row { rows[try index(of: name)] }

    /// The row that serves a request of a peer with this access level.
    ///
    /// - Parameter advice: what a peer is told whose level is too low.
    @inlinable
    package func lookup(_ request: Request, access: AccessLevel, advice: AccessAdvice) throws(RPCError) -> Row {
        rows[try index(of: request, access: access, advice: advice)]
    }

    // MARK: Private

    @usableFromInline
    func index(of request: Request, access: AccessLevel, advice: AccessAdvice) throws(RPCError) -> Int {
        let index = try index(of: request.method)
        guard access >= methods[index].access else {
            throw .accessDenied(
                method: methods[index].name, needs: methods[index].access, has: access, advice: advice)
        }
        guard methods[index].isAllowedInBatch || !request.isInBatch else {
            throw .invalidRequest("The method '\(methods[index].name)' cannot be part of a batch; send it alone.")
        }
        return index
    }

    private func index(of name: String) throws(RPCError) -> Int {
        var copy = name
        guard let index = copy.withUTF8({ index(of: $0) }) else { throw notFound(name) }
        return index
    }

    private func index(of name: UnsafeBufferPointer<UInt8>) -> Int? {
        var slot = MethodName.hash(name) & (slots.count - 1)
        while slots[slot] >= 0 {
            if names[slots[slot]].elementsEqual(name) { return slots[slot] }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    private func notFound(_ name: String) -> RPCError {
        .methodNotFound(name, nearest: NearestName.nearest(to: name, among: methods.lazy.map { $0.name }))
    }
}

extension MethodTable: Sendable where Handler: Sendable {}
extension MethodTable.Row: Sendable where Handler: Sendable {}

private enum MethodName {
    /// FNV-1a. Only names of our own are ever stored, so nobody can choose collisions.
    static func hash(_ name: UnsafeBufferPointer<UInt8>) -> Int {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return Int(truncatingIfNeeded: hash ^ hash >> 32)
    }
}
