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

    package mutating func value(_ conditionValue: ConditionValue) {
        switch conditionValue {
        case .flag(let flag): bool(flag)
        case .level(let level): double(level)
        case .network(let state): string(state.rawValue)
        case .thermal(let state): string(state.rawValue)
        }
    }
}
