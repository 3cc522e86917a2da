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

    /// Nothing is known any more of what is shown.
    mutating func clear() {
        if !erasure.isEmpty { console.write(erasure) }
        height = 0
        written = [:]
    }

    mutating func forget(_ run: Int64) {
        written[run] = nil
    }

    /// - Parameter ended: whole lines that stay.
    mutating func draw(_ runs: [ProgressLine], _ ended: [String]) {
        if console.isTerminal {
            var lines = ProgressLayout(console).aligned(runs)
            if lines.isEmpty { lines = [Self.nothing] }
            // What has left the window at its top cannot be drawn over.
            if let most = console.height.map({ max(2, $0 - 1) }), lines.count > most {
                let more = lines.count - most + 1
                lines = lines.prefix(most - 1) + ["and \(more) more runs"]
            }
            console.write(erasure + ended.joined() + lines.map { Printable.text($0) + "\n" }.joined())
            height = lines.count
        } else {
            for line in ended { console.write(line) }
            for run in runs {
                let line = Printable.text(ProgressLayout(console).single(run))
                // A run that says nothing is told once, and once more when it is asked to end.
                let news = run.fraction == nil ? run.state == Self.ending ? run.state : "" : line
                guard written[run.run] != news else { continue }
                written[run.run] = news
                console.write(line + "\n")
            }
        }
    }

    // MARK: - Private

    static let nothing = "Nothing runs."
    private static let ending = "expiring"

    private var erasure: String { height > 0 ? "\r\u{1B}[\(height)A\u{1B}[J" : "" }
}
