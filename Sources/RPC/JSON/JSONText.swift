import CJansson

/// The spelling of single JSON values.
enum JSONText {
    private static let hexadecimal: StaticString = "0123456789abcdef"

    /// A string in quotes, with the escapes that JSON demands and no others.
    static func appendQuoted(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        let plain = text.firstIndex { !isPlain($0) } ?? text.count
        bytes.append(addingCapacity: text.count + 2) { span in
            span.append(UInt8(ascii: "\""))
            span.append(contentsOf: UnsafeBufferPointer(rebasing: text[..<plain]))
            if plain == text.count { span.append(UInt8(ascii: "\"")) }
        }
        // Most texts are finished here.
        guard plain < text.count else { return }
        for byte in text[plain...] { appendEscaped(byte, to: &bytes) }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private static func appendEscaped(_ byte: UInt8, to bytes: inout [UInt8]) {
        if isPlain(byte) {
            bytes.append(byte)
            return
        }
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case UInt8(ascii: "\n"): bytes.append(UInt8(ascii: "n"))
        case UInt8(ascii: "\r"): bytes.append(UInt8(ascii: "r"))
        case UInt8(ascii: "\t"): bytes.append(UInt8(ascii: "t"))
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        default:
            bytes.append(contentsOf: [UInt8(ascii: "u"), UInt8(ascii: "0"), UInt8(ascii: "0")])
            bytes.append(hexadecimal.utf8Start[Int(byte >> 4)])
            bytes.append(hexadecimal.utf8Start[Int(byte & 0xF)])
        }
    }

    static func append(_ value: Int64, to bytes: inout [UInt8]) {
        if value >= 0, value < 10 {
            bytes.append(UInt8(ascii: "0") + UInt8(value))
            return
        }
        bytes.append(addingCapacity: 20) { span in
            if value < 0 { span.append(UInt8(ascii: "-")) }
            var power: UInt64 = 1
            let magnitude = value.magnitude
            while magnitude / power >= 10 { power *= 10 }
            var rest = magnitude
            while power > 0 {
                span.append(UInt8(ascii: "0") + UInt8(rest / power))
                rest %= power
                power /= 10
            }
        }
    }

    static func append(_ value: Double, to bytes: inout [UInt8]) {
        guard value.isFinite else {
            bytes.append(contentsOf: "null".utf8)
            return
        }
        if value.magnitude < 9_007_199_254_740_992, value == value.rounded(.towardZero),
            value != 0 || value.sign == .plus
        {
            append(Int64(value), to: &bytes)
        } else {
            bytes.append(contentsOf: value.description.utf8)
        }
    }

    /// A value from a parsed text, compact, members in their order.
    static func append(_ value: JSONValue, to bytes: inout [UInt8]) {
        switch value.kind {
        case .object:
            bytes.append(UInt8(ascii: "{"))
            var isFirst = true
            var position = json_object_iter(value.node)
            while let current = position, let name = json_object_iter_key(current),
                let node = json_object_iter_value(current)
            {
                if !isFirst { bytes.append(UInt8(ascii: ",")) }
                isFirst = false
                append(name: name, to: &bytes)
                append(JSONValue(node: node, document: value.document), to: &bytes)
                position = json_object_iter_next(value.node, current)
            }
            bytes.append(UInt8(ascii: "}"))
        case .array:
            bytes.append(UInt8(ascii: "["))
            for index in 0..<json_array_size(value.node) {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                guard let node = json_array_get(value.node, index) else { continue }
                append(JSONValue(node: node, document: value.document), to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .string:
            _ = value.withUTF8 { appendQuoted($0, to: &bytes) }
        case .integer:
            append(json_integer_value(value.node), to: &bytes)
        case .real:
            append(json_real_value(value.node), to: &bytes)
        case .boolean:
            bytes.append(contentsOf: value.bool == true ? "true".utf8 : "false".utf8)
        case .null:
            bytes.append(contentsOf: "null".utf8)
        }
    }

    private static func append(name: UnsafePointer<CChar>, to bytes: inout [UInt8]) {
        var count = 0
        while name[count] != 0 { count += 1 }
        name.withMemoryRebound(to: UInt8.self, capacity: count) { start in
            appendQuoted(UnsafeBufferPointer(start: start, count: count), to: &bytes)
        }
        bytes.append(UInt8(ascii: ":"))
    }
}

extension JSONValue {
    /// Writes this value as the next one.
    package func write(into writer: inout JSONWriter) {
        writer.value(self)
    }
}

extension OutputSpan<UInt8> {
    /// Appends bytes as one block.
    @inline(__always)
    mutating func append(contentsOf block: UnsafeBufferPointer<UInt8>) {
        guard let start = block.baseAddress else { return }
        withUnsafeMutableBufferPointer { buffer, used in
            precondition(block.count <= buffer.count - used, "a span is too small for what is appended")
            guard let place = buffer.baseAddress else { return }
            (place + used).initialize(from: start, count: block.count)
            used += block.count
        }
    }
}
