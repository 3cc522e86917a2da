/// The identifier of an app: its bundle identifier (`CFBundleIdentifier`).
public struct AppIdentifier: Hashable, Comparable, Sendable {
    /// The identifier's text.
    public let text: String

    /// Makes an identifier, or refuses text that breaks the rules of B1 with `invalidIdentifier`.
    public init(_ text: String) throws(Refusal) {
        if let problem = IdentifierSyntax.problem(in: text) {
            throw Refusal(
                .invalidIdentifier,
                "“\(IdentifierSyntax.printable(text))” is not an app identifier: \(problem). Use the bundle's CFBundleIdentifier, such as com.example.app."
            )
        }
        self.text = text
    }

    package init(checked text: String) {
        self.text = text
    }

    /// Orders by the text's bytes.
    public static func < (left: AppIdentifier, right: AppIdentifier) -> Bool {
        left.text < right.text
    }
}

extension AppIdentifier: CustomStringConvertible {
    /// The identifier's text.
    public var description: String { text }
}

extension AppIdentifier: Codable {
    /// Reads the text and checks it.
    public init(from decoder: any Decoder) throws {
        try self.init(decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
