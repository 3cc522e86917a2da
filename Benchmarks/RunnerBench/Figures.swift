import Platform

/// Named numbers, as one JSON object.
struct Figures {
    private var members: [(name: String, value: Double)] = []

    mutating func add(_ name: String, _ value: Double) {
        members.append((name, value))
    }

    var json: String {
        "{" + members.map { "\"\($0.name)\": \($0.value)" }.joined(separator: ", ") + "}"
    }
}

/// Durations of one kind of event.
struct Samples {
    private(set) var nanoseconds: [Int64] = []

    mutating func add(_ duration: Int64) {
        nanoseconds.append(duration)
    }

    /// The nearest rank, in microseconds.
    func percentile(_ rank: Double) -> Double {
        let sorted = nanoseconds.sorted()
        guard !sorted.isEmpty else { return 0 }
        let place = Int((rank / 100 * Double(sorted.count)).rounded(.up))
        return Double(sorted[max(place, 1) - 1]) / 1_000
    }
}

/// Adds up the time of many short operations, without what reading the clock takes.
struct Stopwatch {
    private var total: Int64 = 0
    private var count = 0
    private var begun: Int64 = 0

    mutating func start() {
        begun = SystemClock.nanoseconds(.awake)
    }

    mutating func stop() {
        total += SystemClock.nanoseconds(.awake) - begun
        count += 1
    }

    /// The mean of one operation, in microseconds.
    var microseconds: Double {
        guard count > 0 else { return 0 }
        return Double(total) / Double(count) / 1_000 - Self.overhead
    }

    private static let overhead: Double = {
        var watch = Stopwatch()
        for _ in 0..<10_000 {
            watch.start()
            watch.stop()
        }
        return Double(watch.total) / Double(watch.count) / 1_000
    }()
}
