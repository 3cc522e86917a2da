import Scheduling

/// Progress that could not be sent yet: the newest of each run, in the order in which they began to wait.
struct NewestProgress {
    private var waiting: [ProgressMessage] = []

    var isEmpty: Bool { waiting.isEmpty }

    mutating func put(_ message: ProgressMessage) {
        if let place = waiting.firstIndex(where: { $0.run == message.run }) {
            waiting[place] = message
        } else {
            waiting.append(message)
        }
    }

    /// What a run said last, if it still waits.
    mutating func take(_ run: RunIdentifier) -> ProgressMessage? {
        waiting.firstIndex { $0.run == run }.map { waiting.remove(at: $0) }
    }

    mutating func takeAll() -> [ProgressMessage] {
        defer { waiting = [] }
        return waiting
    }
}
