import RPC

/// What there is to show of how far a run is.
struct ProgressLine: Hashable {
    /// How long a run has been running changes all the time; a line that is not drawn again says since when.
    enum Time {
        case passed
        case begun
    }

    let run: Int64
    let state: String
    /// From 0 to 1; `nil` for a run that says nothing of its progress.
    let fraction: Double?
    /// The time of a run that says nothing of its progress.
    let time: String
    /// What tells several runs apart.
    let identifier: String
    /// The title and the subtitle.
    let words: String

    init(_ run: JSONValue, _ time: Time, now: Int64) {
        self.run = run["run"]?.integer ?? 0
        state = run.text("state")
        identifier = run.text("identifier")
        let progress = run["progress"]
        fraction = progress?["fraction"]?.number.map { min(max($0, 0), 1) }
        let title = progress?.text("title") ?? ""
        words = [title == identifier ? "" : title, progress?.text("subtitle") ?? ""].filter { !$0.isEmpty }
            .joined(separator: ": ")
        switch (run.date("startedAt"), time) {
        case (let started?, .passed): self.time = "for \(DurationText.rounded(max(0, now - started)))"
        case (let started?, .begun): self.time = "since \(DateText.brief(started, now: now))"
        case (nil, _): self.time = ""
        }
    }
}
