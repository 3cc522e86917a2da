/// An entry of `BGTaskSchedulerPermittedIdentifiers`: exact, or a prefix that ends in `.*` (B2).
package enum PermittedIdentifier: Hashable, Sendable {
    case exact(TaskIdentifier)
    /// The part before the `*`, with its last dot: `com.example.app.export.`.
    case prefix(String)

    /// Reads an entry of the manifest of `app`, or refuses it with `invalidIdentifier`.
    package init(_ text: String, app: AppIdentifier) throws(Refusal) {
        guard text.utf8.contains(UInt8(ascii: "*")) else {
            self = .exact(try TaskIdentifier(text))
            return
        }
        guard text.hasSuffix(".*"), text.utf8.count(where: { $0 == UInt8(ascii: "*") }) == 1 else {
            throw Refusal(
                .invalidIdentifier,
                "“\(IdentifierSyntax.printable(text))” is not a permitted pattern: a * may stand only once, as the whole last component. Write \(app).export.* for example."
            )
        }
        let stem = String(text.dropLast(2))
        _ = try TaskIdentifier(stem)
        guard stem == app.text || stem.hasPrefix(app.text + ".") else {
            throw Refusal(
                .invalidIdentifier,
                "The pattern “\(text)” is not below the app's own identifier \(app). Write \(app).\(stem.split(separator: ".").last ?? "export").* instead."
            )
        }
        self = .prefix(stem + ".")
    }

    /// Whether this entry admits the identifier.
    package func admits(_ identifier: TaskIdentifier) -> Bool {
        switch self {
        case .exact(let permitted): permitted == identifier
        case .prefix(let prefix): identifier.text.utf8.count > prefix.utf8.count && identifier.text.hasPrefix(prefix)
        }
    }

    /// An entry as what may have been meant instead of an identifier: of a pattern, something that it permits.
    package static func words(of entry: String, for identifier: TaskIdentifier) -> String {
        guard entry.hasSuffix("*") else { return entry }
        let rest = identifier.text.split(separator: ".").dropFirst(entry.split(separator: ".").count - 1)
        return "\(entry.dropLast())\(rest.isEmpty ? "one" : rest.joined(separator: ".")), which \(entry) permits"
    }

    /// The entry as the manifest writes it.
    package var text: String {
        switch self {
        case .exact(let identifier): identifier.text
        case .prefix(let prefix): prefix + "*"
        }
    }
}

extension PermittedIdentifier: Codable {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        self = text.hasSuffix("*") ? .prefix(String(text.dropLast())) : .exact(try TaskIdentifier(text))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
