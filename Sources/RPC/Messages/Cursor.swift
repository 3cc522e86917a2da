/// Where a page of a list ended. Clients send it back as it is; only we know that it is a number.
package enum Cursor {
    package static func text(_ position: Int64) -> String { String(position) }
    package static func text(_ position: Int) -> String { String(position) }
    /// A place in the lines of a run; of run 0 the number of a line of an app.
    package static func text(run: Int64, offset: Int) -> String { "\(run).\(offset)" }

    /// Nil for what `text` never makes.
    package static func position(_ text: String) -> Int64? {
        guard let position = Int64(text), position >= 0, Self.text(position) == text else { return nil }
        return position
    }

    /// Nil for what `text(run:offset:)` never makes.
    package static func place(_ text: String) -> (run: Int64, offset: Int)? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let run = position(String(parts[0])), let offset = position(String(parts[1])) else {
            return nil
        }
        return (run, Int(offset))
    }
}
