/// The name of a task, such as `com.example.refresh`.
///
/// 1 to 128 bytes of `A–Z a–z 0–9 . - _` with no empty component (B1).
public struct TaskIdentifier: Hashable, Comparable, Sendable {
    /// The identifier's text.
    public let text: String

    /// Makes an identifier, or refuses text that breaks B1 with `invalidIdentifier`.
    public init(_ text: String) throws(Refusal) {
        if let problem = IdentifierSyntax.problem(ofPattern: text) {
            throw Refusal(.invalidIdentifier, problem)
        }
        if let problem = IdentifierSyntax.problem(in: text) {
            throw Refusal(
                .invalidIdentifier,
                "“\(IdentifierSyntax.printable(text))” is not a task identifier: \(problem). Use 1 to 128 bytes of A–Z a–z 0–9 . - _ without empty components."
            )
        }
        self.text = text
    }

    /// An identifier whose text was checked before it was stored.
    package init(checked text: String) {
        self.text = text
    }

    /// Orders by the text's bytes.
    public static func < (left: TaskIdentifier, right: TaskIdentifier) -> Bool {
        left.text < right.text
    }
}

extension TaskIdentifier: CustomStringConvertible {
    /// The identifier's text.
    public var description: String { text }
}

extension TaskIdentifier: Codable {
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

/// The rules of B1, shared by task identifiers, app identifiers and patterns.
package enum IdentifierSyntax {
    package static let longest = 128

    /// What is wrong with the text, as the end of a sentence; `nil` when nothing is.
    package static func problem(in text: String) -> String? {
        var count = 0
        var previous = UInt8(ascii: ".")
        for byte in text.utf8 {
            count += 1
            if count > longest { return "it is longer than \(longest) bytes" }
            switch byte {
            case UInt8(ascii: "."):
                if previous == UInt8(ascii: ".") { return "it has an empty component" }
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                break
            default:
                return "it holds a character that is not allowed"
            }
            previous = byte
        }
        if count == 0 { return "it is empty" }
        return previous == UInt8(ascii: ".") ? "it has an empty component" : nil
    }

    /// What to say of a pattern where one of the identifiers is meant that it permits (B2); `nil` for other text.
    package static func problem(ofPattern text: String) -> String? {
        guard text.hasSuffix(".*"), problem(in: String(text.dropLast(2))) == nil else { return nil }
        let example = text.dropLast() + "one"
        return "“\(text)” permits many identifiers and is none itself; name one of them in full, such as \(example)."
    }

    /// The text cut short and without control characters, for an error message.
    package static func printable(_ text: String) -> String {
        let clean = String(
            text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? "?" : Character($0) }.prefix(140))
        return clean.count < text.unicodeScalars.count ? clean + "…" : clean
    }
}
