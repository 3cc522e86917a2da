/// How many requests were asked, and what became of them.
struct LaneCounts {
    private(set) var asked = 0
    private(set) var granted = 0
    private(set) var withdrawn = 0
    private(set) var refused = 0
    private(set) var pending = 0

    init(_ requests: [ChartRequest]) {
        asked = requests.count
        for request in requests {
            switch request.outcome {
            case .granted: granted += 1
            case .withdrawn: withdrawn += 1
            case .pending: pending += 1
            case .refused: refused += 1
            }
        }
    }

    /// `3 asked, 2 granted, 1 withdrawn`.
    var words: String { parts.joined(separator: ", ") }

    /// As many of the words as have room, the most important first.
    func words(fits: (String) -> Bool) -> String {
        var parts = parts
        while parts.count > 1, !fits(parts.joined(separator: ", ")) { parts.removeLast() }
        return parts.joined(separator: ", ")
    }

    private var parts: [String] {
        var words = ["\(asked) asked", "\(granted) granted"]
        if pending > 0 { words.append("\(pending) pending") }
        if refused > 0 { words.append("\(refused) refused") }
        if withdrawn > 0 { words.append("\(withdrawn) withdrawn") }
        return words
    }

    /// How the runs ended, the usual first: `12 succeeded, 1 failed`.
    static func states(_ requests: [ChartRequest]) -> String {
        var counts: [String: Int] = [:]
        for run in requests.compactMap(\.run) { counts[run.state, default: 0] += 1 }
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    }
}
