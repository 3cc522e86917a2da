/// Where a page of a list ended. Clients send it back as it is; only we know that it is a number.
package enum Cursor {
    package static func text(_ position: Int64) -> String { String(position) }
    package static func text(_ position: Int) -> String { String(position) }

    /// Nil for what `text` never makes.
    package static func position(_ text: String) -> Int64? {
        guard let position = Int64(text), position >= 0, Self.text(position) == text else { return nil }
        return position
    }
}
