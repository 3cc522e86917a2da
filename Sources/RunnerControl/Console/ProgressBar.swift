import RPC

/// One line that shows how far a run is.
enum ProgressBar {
    private static let barWidth = 24
    private static let lineWidth = 79

    static func line(of run: JSONValue, now: Int64) -> String {
        let number = run["run"]?.integer ?? 0
        var line = "run \(number) \(run.text("state"))"
        guard let progress = run["progress"], let fraction = progress["fraction"]?.number else {
            if let started = run.date("startedAt") { line += " for \(DurationText.rounded(max(0, now - started)))" }
            return line
        }
        let part = min(max(fraction, 0), 1)
        let filled = Int((part * Double(barWidth)).rounded(.down))
        let percent = String(Int((part * 100).rounded(.down)))
        line += " [" + String(repeating: "#", count: filled) + String(repeating: "-", count: barWidth - filled) + "] "
        line += String(repeating: " ", count: 3 - percent.count) + percent + "%"
        let words = [progress.text("title"), progress.text("subtitle")].filter { !$0.isEmpty }
        if !words.isEmpty { line += " " + words.joined(separator: ": ") }
        // A line that wraps could not be drawn over.
        return line.count > lineWidth ? line.prefix(lineWidth - 1) + "…" : line
    }
}
