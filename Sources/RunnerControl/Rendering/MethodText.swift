import RPC

/// A method of the socket, for people who write clients.
enum MethodText {
    static func text(of method: MethodDescription) -> String {
        var lines = ["METHOD", "    \(method.name), for callers who may \(method.access.name)", ""]
        if method.parameters.isEmpty {
            lines.append("    It takes no params.")
        } else {
            lines.append("    Params, in the order of positions:")
            let widest = method.parameters.map(\.name.count).max() ?? 0
            for parameter in method.parameters {
                let blanks = String(repeating: " ", count: widest - parameter.name.count + 2)
                let need = parameter.isRequired ? "" : " (optional)"
                lines.append("        \(parameter.name)\(blanks)\(parameter.expectation)\(need)")
            }
        }
        lines += ["", "    Result: \(method.result)"]
        if !method.errors.isEmpty { lines.append("    Errors: \(method.errors.joined(separator: ", "))") }
        return lines.joined(separator: "\n") + "\n"
    }
}
