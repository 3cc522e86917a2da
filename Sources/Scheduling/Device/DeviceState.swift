/// What is known of the device: per condition, what its sources said, and what a person set over it.
struct DeviceState: Sendable {
    private struct Report: Sendable {
        var source: String
        var value: ConditionValue
        var since: WallTime
        var until: BootTime?
        /// When the source was lost and its value stops to hold.
        var holdsUntil: BootTime?
    }

    private struct Condition: Sendable {
        /// The newest last.
        var reports: [Report] = []
        /// A source was lost and its value ran out, and no other spoke since.
        var lost: (source: String, since: WallTime)?
        var override: ConditionOverride?
    }

    private static let longestSource = 128
    private static let mostSources = 16

    private var conditions: [DeviceCondition: Condition] = [:]
    private(set) var utcOffsetSeconds = 0
    /// The next time at which a value ends by itself.
    private(set) var deadline: BootTime?

    mutating func setUTCOffset(_ seconds: Int) {
        utcOffsetSeconds = seconds
    }

    var overrides: [ConditionOverride] {
        DeviceCondition.allCases.compactMap { conditions[$0]?.override }
    }

    /// The value that gates look at; `nil` when it is unknown.
    func value(of condition: DeviceCondition) -> ConditionValue? {
        guard let state = conditions[condition] else { return condition.assumed.value }
        if let override = state.override { return override.value }
        if let report = state.reports.last { return report.value }
        return state.lost == nil ? condition.assumed.value : nil
    }

    func reading(of condition: DeviceCondition, at now: Moment) -> ConditionReading {
        func wall(_ boot: BootTime?) -> WallTime? {
            boot.map { now.wall.advanced(by: now.boot.duration(to: $0)) }
        }
        if let override = conditions[condition]?.override {
            return ConditionReading(
                condition: condition, value: override.value, source: "override", since: override.since,
                overridden: true, until: wall(override.until))
        }
        if let report = conditions[condition]?.reports.last {
            return ConditionReading(
                condition: condition, value: report.value, source: report.source, since: report.since,
                overridden: false, until: wall(report.until ?? report.holdsUntil))
        }
        if let lost = conditions[condition]?.lost {
            return ConditionReading(
                condition: condition, value: nil, source: "\(lost.source) (lost)", since: lost.since, overridden: false)
        }
        let assumed = condition.assumed
        return ConditionReading(
            condition: condition, value: assumed.value, source: "assumed: \(assumed.rule)", since: nil,
            overridden: false)
    }

    /// Why a source from outside cannot report; `nil` when it can.
    func refusal(of source: String, for condition: DeviceCondition) -> Refusal? {
        guard (1...Self.longestSource).contains(source.utf8.count),
            source.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
        else {
            return Refusal(
                .invalidParams, "'source' must be a name of 1 to \(Self.longestSource) printable bytes.",
                member: "source")
        }
        let known = conditions[condition]?.reports ?? []
        guard known.count < Self.mostSources || known.contains(where: { $0.source == source }) else {
            return Refusal(
                .limitExceeded,
                "\(condition.rawValue) has \(Self.mostSources) sources already; report under one of their names.")
        }
        return nil
    }

    /// A source says a value, or with `nil` that it does not know one.
    mutating func report(
        _ condition: DeviceCondition, _ value: ConditionValue?, source: String, validFor: Duration?, at now: Moment
    ) {
        var state = conditions[condition] ?? Condition()
        let previous = state.reports.last
        state.reports.removeAll { $0.source == source }
        if let value {
            let since = previous?.source == source && previous?.value == value ? previous?.since : now.wall
            state.reports.append(
                Report(
                    source: source, value: value, since: since ?? now.wall,
                    until: validFor.map { now.boot.advanced(by: $0) }, holdsUntil: nil))
        }
        state.lost = nil
        conditions[condition] = state
        findDeadline()
    }

    /// A source is gone: its values hold for a while, then are unknown (B19).
    mutating func lose(source: String, holdingFor hold: Duration, at now: Moment) {
        for condition in DeviceCondition.allCases {
            guard var state = conditions[condition] else { continue }
            for position in state.reports.indices where state.reports[position].source == source {
                state.reports[position].holdsUntil = now.boot.advanced(by: hold)
            }
            conditions[condition] = state
        }
        findDeadline()
    }

    mutating func setOverride(_ override: ConditionOverride) {
        conditions[override.condition, default: Condition()].override = override
        findDeadline()
    }

    mutating func clearOverride(_ condition: DeviceCondition) {
        conditions[condition]?.override = nil
        findDeadline()
    }

    /// Ends what ends by itself.
    mutating func expire(at now: Moment) {
        guard let deadline, deadline <= now.boot else { return }
        for condition in DeviceCondition.allCases {
            guard var state = conditions[condition] else { continue }
            if let until = state.override?.until, until <= now.boot { state.override = nil }
            let ended = state.reports.filter { ($0.holdsUntil ?? .init(milliseconds: .max)) <= now.boot }
            state.reports.removeAll {
                ($0.until ?? $0.holdsUntil ?? .init(milliseconds: .max)) <= now.boot
                    || ($0.holdsUntil ?? .init(milliseconds: .max)) <= now.boot
            }
            if state.reports.isEmpty, let last = ended.last { state.lost = (last.source, now.wall) }
            conditions[condition] = state
        }
        findDeadline()
    }

    private mutating func findDeadline() {
        deadline = conditions.values.flatMap { state in
            [state.override?.until] + state.reports.flatMap { [$0.until, $0.holdsUntil] }
        }.compactMap(\.self).min()
    }
}
