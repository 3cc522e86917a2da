/// Shortens text in its middle, because the ends of identifiers tell them apart.
enum ShortText {
    /// - Parameter limit: how many characters may stay.
    static func middle(_ text: String, limit: Int) -> String {
        guard text.count > limit else { return text }
        guard limit > 1 else { return "…" }
        return text.prefix((limit - 1) / 2) + "…" + text.suffix(limit - 1 - (limit - 1) / 2)
    }

    /// The longest shortened form that a measure admits.
    static func middle(_ text: String, fits: (String) -> Bool) -> String {
        if fits(text) { return text }
        var low = 1
        var high = text.count
        while low + 1 < high {
            let tried = (low + high) / 2
            if fits(middle(text, limit: tried)) { low = tried } else { high = tried }
        }
        return middle(text, limit: low)
    }
}
