import RPC

/// A result as the socket gave it.
enum JSONLine {
    static func text(_ value: JSONValue) -> String {
        var writer = JSONWriter()
        writer.value(value)
        writer.endLine()
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
