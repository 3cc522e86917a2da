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

/// Times many short operations, without what reading the clock takes.
///
/// They are taken together in groups, and the median of the groups stands for all: a thread that loses its CPU in one
/// of them, to another program, does not change the result.
struct Stopwatch {
    private static let groupSize = 64
    private var groups = Samples()
    private var total: Int64 = 0
    private var count = 0
    private var begun: Int64 = 0

    mutating func start() {
        begun = SystemClock.nanoseconds(.awake)
    }

    mutating func stop() {
        total += SystemClock.nanoseconds(.awake) - begun
        count += 1
        guard count == Self.groupSize else { return }
        groups.add(total)
        total = 0
        count = 0
    }

    /// What one operation takes, in microseconds.
    var microseconds: Double { raw - Self.overhead }

    private var raw: Double { groups.percentile(50) / Double(Self.groupSize) }

    private static let overhead: Double = {
        var watch = Stopwatch()
        for _ in 0..<10_000 {
            watch.start()
            watch.stop()
        }
        return watch.raw
    }()
}
