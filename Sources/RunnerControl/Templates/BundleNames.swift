import Scheduling

/// What the parts of a new bundle are called.
struct BundleNames: Hashable {
    /// As a person gave it: `mail`. It names files.
    let name: String
    let app: AppIdentifier
    let task: TaskIdentifier

    /// The longest name, so that identifiers and file names made of it are legal.
    static let longestName = 64
    private static let taskName = "refresh"

    /// - Parameter identifier: `com.example.NAME` when it is not given.
    init(name: String, identifier: String?) throws(Refusal) {
        app = try AppIdentifier(identifier ?? "com.example.\(name)")
        task = try TaskIdentifier("\(app.text).\(Self.taskName)")
        self.name = name
    }

    /// Whether a text can name files, a target of a package and a part of an identifier.
    static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, isLetter(first), text.utf8.count <= longestName else { return false }
        return text.utf8.allSatisfy { byte in
            isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }
    }

    var bundle: String { "\(name).plugin" }

    /// The name as one of Swift's types begins: `MyMail` for `my-mail`.
    var typeName: String {
        name.split { $0 == "-" || $0 == "_" }.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
