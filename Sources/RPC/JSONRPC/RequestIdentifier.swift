import CJansson

/// What a caller chose to recognise the reply by.
package enum RequestIdentifier: Hashable, Sendable {
    case integer(Int64)
    case string(String)
    case null

    /// Nil for what JSON-RPC does not take, or what could not come back as it was sent: fractions, booleans, containers.
    init?(node: UnsafeMutablePointer<json_t>, document: JSONDocument) {
        switch node.pointee.type {
        case JSON_INTEGER: self = .integer(json_integer_value(node))
        case JSON_NULL: self = .null
        case JSON_STRING:
            guard let text = JSONValue(node: node, document: document).string else { return nil }
            self = .string(text)
        default: return nil
        }
    }

    package func write(into writer: inout JSONWriter) {
        switch self {
        case .integer(let value): writer.integer(value)
        case .string(let value): writer.string(value)
        case .null: writer.null()
        }
    }
}
