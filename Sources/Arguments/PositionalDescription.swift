/// An argument that is told by its position.
package struct PositionalDescription: Hashable, Sendable {
    /// As help shows it: `IDENTIFIER`.
    package var name: String
    package var help: String
    package var isOptional: Bool
    /// Takes all that follows; only the last may.
    package var isRepeatable: Bool
    /// What it may be.
    package var values: ValueSource

    package init(
        _ name: String, values: ValueSource = .anything, help: String, isOptional: Bool = false,
        isRepeatable: Bool = false
    ) {
        self.name = name
        self.help = help
        self.isOptional = isOptional
        self.isRepeatable = isRepeatable
        self.values = values
    }

    var synopsis: String {
        let name = isRepeatable ? "\(name)..." : name
        return isOptional ? "[\(name)]" : name
    }
}
