import RPC
import Scheduling
import Simulation

/// The bands of a device's conditions, from their changes as a daemon keeps them and from what it knows now.
///
/// A daemon keeps what changes while it lives. What was before its first known change is not known and so not shown.
struct TimelineConditions {
    let span: TimelineSpan
    /// Since when the daemon lives.
    let daemonStart: Int64
    /// Of each condition newest first.
    let changes: [JSONValue]
    /// What is known of each condition now.
    let now: JSONValue?

    /// A value since some time; nil when nobody knew it.
    private struct Stretch {
        var since: Int64
        var value: ConditionValue?
        var detail: String
        var isOverridden = false
    }

    var bands: [ChartBand] {
        DeviceCondition.allCases.flatMap { condition in
            let stretches = stretches(of: condition)
            return Self.kinds(of: condition).flatMap { bands($0.kind, stretches, $0.holds) }
        }
    }

    // MARK: Private

    /// The bands that a condition can be, and the values of each.
    private static func kinds(
        of condition: DeviceCondition
    ) -> [(kind: ChartBand.Kind, holds: (ConditionValue) -> Bool)] {
        switch condition {
        case .externalPower: [(.externalPower, { $0 == .flag(true) })]
        case .lowPowerMode: [(.lowPowerMode, { $0 == .flag(true) })]
        case .idle: [(.idle, { $0 == .flag(true) })]
        case .unlocked: [(.locked, { $0 == .flag(false) })]
        case .backgroundRefresh: [(.backgroundRefreshOff, { $0 == .flag(false) })]
        case .network: [(.noNetwork, { $0 == .network(.none) }), (.meteredNetwork, { $0 == .network(.metered) })]
        case .thermal: [(.thermal, { $0 == .thermal(.serious) || $0 == .thermal(.critical) })]
        case .batteryLevel: []
        }
    }

    /// Oldest first.
    private func stretches(of condition: DeviceCondition) -> [Stretch] {
        var stretches = changes.reversed().filter { $0["condition"]?.string == condition.rawValue }.map { change in
            Stretch(
                since: change.date("at") ?? 0, value: value(change, condition), detail: Self.detail(change),
                isOverridden: change.flag("overridden"))
        }
        let place = stretches.firstIndex { $0.since >= daemonStart } ?? stretches.endIndex
        guard place == stretches.endIndex, let reading = now?[condition.rawValue] else {
            // Values end with the daemon that knew them, until its successor hears of them; only overrides stay.
            if place > 0, place < stretches.endIndex, !stretches[place - 1].isOverridden {
                stretches.insert(Stretch(since: daemonStart, value: nil, detail: ""), at: place)
            }
            return stretches
        }
        // What has not changed since the daemon's start has been so since then; what was before that is not known.
        stretches.append(
            Stretch(
                since: daemonStart, value: value(reading, condition),
                detail: Self.detail(reading)))
        return stretches
    }

    private func value(_ json: JSONValue, _ condition: DeviceCondition) -> ConditionValue? {
        json["value"].flatMap { ConditionValue($0, for: condition) }
    }

    private static func detail(_ json: JSONValue) -> String {
        json.flag("overridden") ? "set by hand" : json["source"]?.string ?? ""
    }

    private func bands(
        _ kind: ChartBand.Kind, _ stretches: [Stretch], _ holds: (ConditionValue) -> Bool
    ) -> [ChartBand] {
        var bands: [ChartBand] = []
        for (index, stretch) in stretches.enumerated() {
            guard let value = stretch.value, holds(value) else { continue }
            let start = max(stretch.since, span.start)
            let end = min(index + 1 < stretches.count ? stretches[index + 1].since : span.known, span.known)
            guard start < end else { continue }
            bands.append(
                ChartBand(
                    kind, from: WallTime(milliseconds: start), to: WallTime(milliseconds: end), detail: stretch.detail))
        }
        return bands
    }
}
