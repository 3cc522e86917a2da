import RPC
import Scheduling

/// A method of the socket, for people who write clients.
enum MethodText {
    static func text(of method: MethodDescription) -> String {
        let result = method.result
        var lines = ["METHOD", "    \(method.name), for callers who may \(method.access.name)", ""]
        if method.parameters.isEmpty {
            lines.append("    It takes no params.")
        } else {
            lines.append("    Params, in the order of positions:")
            lines += table(method.parameters.map { ($0.name, $0.expectation, !$0.isRequired) }, indent: 8)
        }
        lines += ["", "    Result: \(result.words)"]
        if !method.resultNote.isEmpty { lines.append("        \(method.resultNote)") }
        lines += rows(result.members ?? [], indent: 8)
        for shape in result.named where shape != result.soleName {
            lines += ["", "    \(shape.name): \(shape.summary)"] + rows(shape.schema.members ?? [], indent: 8)
        }
        if !method.errors.isEmpty {
            lines += ["", "    Errors: \(method.errors.map(\.rawValue).joined(separator: ", "))"]
        }
        lines += ["", "    Example: \(method.example.name)", "        --> \(method.example.call(method.name))"]
        lines.append("        <-- \(method.example.result)")
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: Private

    private static func rows(_ members: [JSONSchema.Member], indent: Int) -> [String] {
        table(members.map { ($0.name, $0.schema.words, $0.isOptional) }, indent: indent)
    }

    private static func table(_ rows: [(name: String, what: String, isOptional: Bool)], indent: Int) -> [String] {
        let widest = rows.map(\.name.count).max() ?? 0
        return rows.map { row in
            let blanks = String(repeating: " ", count: widest - row.name.count + 2)
            let need = row.isOptional ? " (optional)" : ""
            return String(repeating: " ", count: indent) + row.name + blanks + row.what + need
        }
    }
}

extension MethodExample {
    fileprivate func call(_ method: String) -> String {
        let params = params == "{}" ? "" : #","params":\#(params)"#
        return #"{"jsonrpc":"2.0","id":1,"method":"\#(method)"\#(params)}"#
    }
}

extension JSONSchema {
    /// The shape itself, when it is one that has a name.
    fileprivate var soleName: NamedSchema? {
        if case .named(let named) = self { named } else { nil }
    }
}
