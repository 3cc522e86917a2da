import RPC

/// JSON over several lines, for people.
enum PrettyJSON {
    static func text(_ value: JSONValue) -> String {
        var text = ""
        append(value, indent: "", to: &text)
        return text + "\n"
    }

    private static func append(_ value: JSONValue, indent: String, to text: inout String) {
        let inner = indent + "  "
        if let array = value.array, !array.isEmpty {
            text += "["
            for (index, element) in array.enumerated() {
                text += (index == 0 ? "\n" : ",\n") + inner
                append(element, indent: inner, to: &text)
            }
            text += "\n\(indent)]"
        } else if let members = value.members, value.count > 0 {
            text += "{"
            var separator = "\n"
            for (name, member) in members {
                var writer = JSONWriter()
                writer.string(name)
                text += separator + inner + String(decoding: writer.bytes, as: UTF8.self) + ": "
                append(member, indent: inner, to: &text)
                separator = ",\n"
            }
            text += "\n\(indent)}"
        } else {
            var writer = JSONWriter()
            writer.value(value)
            text += String(decoding: writer.bytes, as: UTF8.self)
        }
    }
}
