import CJansson

/// One value of a parsed text; cheap to copy, and keeps the text alive.
package struct JSONValue: Sendable {
    package enum Kind: Hashable, Sendable {
        case object, array, string, integer, real, boolean, null
    }

    // Safe to send for the reason that `JSONDocument` gives.
    nonisolated(unsafe) let node: UnsafeMutablePointer<json_t>
    let document: JSONDocument

    package var kind: Kind {
        switch node.pointee.type {
        case JSON_OBJECT: .object
        case JSON_ARRAY: .array
        case JSON_STRING: .string
        case JSON_INTEGER: .integer
        case JSON_REAL: .real
        case JSON_TRUE, JSON_FALSE: .boolean
        default: .null
        }
    }

    package var isNull: Bool { node.pointee.type == JSON_NULL }

    package var bool: Bool? {
        switch node.pointee.type {
        case JSON_TRUE: true
        case JSON_FALSE: false
        default: nil
        }
    }

    /// An integer, however it is written: `5.0` is one too while it is exact.
    package var integer: Int64? {
        switch node.pointee.type {
        case JSON_INTEGER: return json_integer_value(node)
        case JSON_REAL:
            let value = json_real_value(node)
            return value.magnitude <= 9_007_199_254_740_992 ? Int64(exactly: value) : nil
        default: return nil
        }
    }

    /// Always finite.
    package var number: Double? {
        switch node.pointee.type {
        case JSON_INTEGER: Double(json_integer_value(node))
        case JSON_REAL: json_real_value(node)
        default: nil
        }
    }

    package var string: String? {
        withUTF8 { String(decoding: $0, as: UTF8.self) }
    }

    /// The UTF-8 of a string, without a copy; nil for other kinds.
    package func withUTF8<T>(_ body: (UnsafeBufferPointer<UInt8>) -> T) -> T? {
        guard node.pointee.type == JSON_STRING, let start = json_string_value(node) else { return nil }
        let count = json_string_length(node)
        return withExtendedLifetime(document) {
            start.withMemoryRebound(to: UInt8.self, capacity: count) {
                body(UnsafeBufferPointer(start: $0, count: count))
            }
        }
    }

    /// The number of members or elements.
    package var count: Int {
        switch node.pointee.type {
        case JSON_OBJECT: json_object_size(node)
        case JSON_ARRAY: json_array_size(node)
        default: 0
        }
    }

    /// The member of an object; nil when there is none, or when this is no object.
    package subscript(_ name: String) -> JSONValue? {
        json_object_get(node, name).map { JSONValue(node: $0, document: document) }
    }

    /// The elements of an array; nil for other kinds.
    package var array: JSONArray? {
        node.pointee.type == JSON_ARRAY ? JSONArray(value: self) : nil
    }

    /// The members of an object in the order of the text; nil for other kinds.
    package var members: JSONMembers? {
        node.pointee.type == JSON_OBJECT ? JSONMembers(value: self) : nil
    }
}

/// The elements of a JSON array.
package struct JSONArray: RandomAccessCollection, Sendable {
    let value: JSONValue

    package var startIndex: Int { 0 }
    package var endIndex: Int { json_array_size(value.node) }

    package subscript(position: Int) -> JSONValue {
        guard let node = json_array_get(value.node, position) else {
            preconditionFailure("a JSON array has no element \(position)")
        }
        return JSONValue(node: node, document: value.document)
    }
}

/// The members of a JSON object, in the order of the text.
package struct JSONMembers: Sequence, Sendable {
    let value: JSONValue

    package func makeIterator() -> Iterator {
        Iterator(value: value, position: json_object_iter(value.node))
    }

    package struct Iterator: IteratorProtocol {
        let value: JSONValue
        var position: UnsafeMutableRawPointer?

        package mutating func next() -> (name: String, value: JSONValue)? {
            guard let position, let name = json_object_iter_key(position), let node = json_object_iter_value(position)
            else { return nil }
            self.position = json_object_iter_next(value.node, position)
            return (String(cString: name), JSONValue(node: node, document: value.document))
        }
    }
}
