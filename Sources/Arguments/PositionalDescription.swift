/// An argument that is told by its position.
package struct PositionalDescription: Hashable, Sendable {
    /// As help shows it: `IDENTIFIER`.
    package var name: String
    package var help: String
    package var isOptional: Bool
    /// Takes all that follows; only the last may.
    package var isRepeatable: Bool

    package init(_ name: String, help: String, isOptional: Bool = false, isRepeatable: Bool = false) {
        self.name = name
        self.help = help
        self.isOptional = isOptional
        self.isRepeatable = isRepeatable
    }

    var synopsis: String {
        let name = isRepeatable ? "\(name)..." : name
        return isOptional ? "[\(name)]" : name
    }
}
