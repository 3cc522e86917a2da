extension TerminalPicture {
    var asked: Character { isUnicode ? "▸" : "[" }
    var withdrawn: Character { isUnicode ? "×" : "%" }
    var pending: Character { isUnicode ? "»" : ">" }
    var refused: Character { isUnicode ? "∅" : "!" }

    func sign(_ look: RunLook) -> Character {
        switch look {
        case .succeeded: isUnicode ? "✓" : "*"
        case .ongoing: isUnicode ? "…" : ")"
        case .failed, .expired, .crashed, .abandoned, .cancelled, .interrupted: look.letter
        }
    }

    /// What the signs mean: only those that occur.
    func legend() -> [String] {
        let requests = chart.devices.flatMap(\.tasks).flatMap(\.requests)
        guard !requests.isEmpty else { return [] }
        let counts = LaneCounts(requests)
        var above = ["\(asked) asked"]
        if counts.withdrawn > 0 { above.append("\(withdrawn) withdrawn") }
        if counts.pending > 0 { above.append("\(pending) still pending") }
        if counts.refused > 0 { above.append("\(refused) refused") }
        let looks = Set(requests.compactMap(\.run).map { RunLook(state: $0.state) })
        let below = RunLook.allCases.filter(looks.contains).map { "\(sign($0)) \($0.words)" }
        var gates = codes.gates.map { "\(codes.letter($0)) \(PictureWords.name($0))" }
        if requests.contains(where: { $0.holds.contains { $0.start == nil } }) {
            gates.append("~ held, but when is not known")
        }
        let more = ["2 to 9 so many", "+ more"]
        return section("asked", above) + section("granted", below + more) + section("held by", gates)
    }

    private func section(_ title: String, _ parts: [String]) -> [String] {
        guard !parts.isEmpty else { return [] }
        let indent = 9
        return text.wrapped(parts, width - indent).enumerated().map { index, line in
            let head = index == 0 ? title : ""
            return paint.paint(head, .dim) + String(repeating: " ", count: indent - head.count) + line
        }
    }
}
