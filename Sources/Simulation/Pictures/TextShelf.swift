/// A line on which text may stand where nothing else does.
struct TextShelf {
    private var taken: [(from: Double, until: Double)] = []

    mutating func take(_ from: Double, _ until: Double) {
        taken.append((from, until))
    }

    func isFree(_ from: Double, _ until: Double) -> Bool {
        !taken.contains { $0.from < until && from < $0.until }
    }

    /// Takes the first of these stretches that is free.
    mutating func place(_ stretches: [(from: Double, until: Double)]) -> Int? {
        guard let found = stretches.firstIndex(where: { isFree($0.from, $0.until) }) else { return nil }
        take(stretches[found].from, stretches[found].until)
        return found
    }
}
