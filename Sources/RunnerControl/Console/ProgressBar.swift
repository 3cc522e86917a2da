import RPC

/// One line that shows how far a run is.
enum ProgressBar {
    private static let barWidth = 24
    private static let lineWidth = 79

    /// - Parameter isNamed: whether the identifier is shown where there is no title; several runs have to be told apart.
    static func line(of run: JSONValue, now: Int64, isNamed: Bool = false) -> String {
        let number = run["run"]?.integer ?? 0
        var line = "run \(number) \(run.text("state"))"
        let name = isNamed ? run.text("identifier") : ""
        guard let progress = run["progress"], let fraction = progress["fraction"]?.number else {
            if let started = run.date("startedAt") { line += " for \(DurationText.rounded(max(0, now - started)))" }
            return fitting(name.isEmpty ? line : line + " " + name)
        }
        let part = min(max(fraction, 0), 1)
        let filled = Int((part * Double(barWidth)).rounded(.down))
        let percent = String(Int((part * 100).rounded(.down)))
        line += " [" + String(repeating: "#", count: filled) + String(repeating: "-", count: barWidth - filled) + "] "
        line += String(repeating: " ", count: 3 - percent.count) + percent + "%"
        let title = progress.text("title")
        let words = [title.isEmpty ? name : title, progress.text("subtitle")].filter { !$0.isEmpty }
        if !words.isEmpty { line += " " + words.joined(separator: ": ") }
        return fitting(line)
    }

    /// A line that wraps could not be drawn over.
    private static func fitting(_ line: String) -> String {
        line.count > lineWidth ? line.prefix(lineWidth - 1) + "…" : line
    }
}
