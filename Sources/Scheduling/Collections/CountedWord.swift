/// A number and what is counted, for people: `1 moment`, `3 lives`.
package enum CountedWord {
    /// - Parameter many: the word for other numbers than 1, where it is not the one with an s.
    package static func text(_ count: some BinaryInteger, _ one: String, _ many: String? = nil) -> String {
        count == 1 ? "1 \(one)" : "\(count) \(many ?? one + "s")"
    }
}
