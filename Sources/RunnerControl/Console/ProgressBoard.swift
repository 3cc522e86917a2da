/// The lines of several runs: drawn over again and again on a terminal; elsewhere each is written when it says something
/// new.
struct ProgressBoard {
    let console: any Console
    /// How many lines stand above the cursor that are drawn over.
    private var height = 0
    /// What was last written of each run, where nothing can be drawn over.
    private var written: [Int64: String] = [:]

    init(console: any Console) {
        self.console = console
    }

    mutating func forget(_ run: Int64) {
        written[run] = nil
    }

    /// - Parameter ended: whole lines that stay.
    mutating func draw(_ runs: [(run: Int64, line: String, hasProgress: Bool)], _ ended: [String]) {
        if console.isTerminal {
            var text = height > 0 ? "\r\u{1B}[\(height)A\u{1B}[J" : ""
            for line in ended { text += line }
            for run in runs { text += run.line + "\n" }
            height = runs.count
            if !text.isEmpty { console.write(text) }
        } else {
            for line in ended { console.write(line) }
            for run in runs {
                // How long it has been running changes all the time, and would fill a log.
                let news = run.hasProgress ? run.line : ""
                guard written[run.run] != news else { continue }
                written[run.run] = news
                console.write(run.line + "\n")
            }
        }
    }
}
