package import Scheduling

/// The shapes of device conditions on the control socket.
extension JSONWriter {
    /// The device's state: an object with a member per condition.
    package mutating func value(_ readings: [ConditionReading]) {
        beginObject()
        for reading in readings {
            key(dynamic: reading.condition.rawValue)
            value(reading)
        }
        endObject()
    }

    /// One condition. An unknown value is null, so that nobody takes it for one that was left out.
    package mutating func value(_ reading: ConditionReading) {
        beginObject()
        key("value")
        if let conditionValue = reading.value { value(conditionValue) } else { null() }
        member("source", reading.source)
        member("since", date: reading.since?.milliseconds)
        member("overridden", reading.overridden)
        member("until", date: reading.until?.milliseconds)
        endObject()
    }

    /// A change of a condition. That nobody knows the value any more is null too.
    package mutating func value(_ change: DeviceChange) {
        beginObject()
        member("at", date: change.at.milliseconds)
        members(of: change)
        endObject()
    }

    /// The members that a change has in history and in an event, which has its own time.
    mutating func members(of change: DeviceChange) {
        member("condition", change.condition.rawValue)
        key("value")
        if let conditionValue = change.value { value(conditionValue) } else { null() }
        member("source", change.source)
        member("overridden", change.overridden)
    }

    package mutating func value(_ conditionValue: ConditionValue) {
        switch conditionValue {
        case .flag(let flag): bool(flag)
        case .level(let level): double(level)
        case .network(let state): string(state.rawValue)
        case .thermal(let state): string(state.rawValue)
        }
    }
}
