import Scheduling

extension SQLiteStatement {
    func bind(_ facts: TaskFacts) {
        bind(1, facts.identifier.text)
        bind(2, facts.lastScheduledStart?.milliseconds)
        bind(3, facts.retries)
        bind(4, facts.refusedRearms)
        bind(5, facts.strandedSince?.milliseconds)
    }

    func taskFacts() throws(StoreFailure) -> TaskFacts {
        let identifier = bytes(0)
        guard StoredText.isIdentifier(identifier) else { throw damaged() }
        var facts = TaskFacts(identifier: TaskIdentifier(checked: String(decoding: identifier, as: UTF8.self)))
        facts.lastScheduledStart = optionalInteger(1).map(WallTime.init(milliseconds:))
        facts.retries = Int(integer(2))
        facts.refusedRearms = Int(integer(3))
        facts.strandedSince = optionalInteger(4).map(WallTime.init(milliseconds:))
        return facts
    }

    func bind(_ change: DeviceChange) throws(StoreFailure) {
        bind(1, change.at.milliseconds)
        bind(2, change.condition)
        if let value = change.value {
            try bindJSON(3, value)
        } else {
            bind(3, nil as String?)
        }
        bind(4, change.source)
        bind(5, change.overridden)
    }

    func deviceChange() throws(StoreFailure) -> DeviceChange {
        DeviceChange(
            at: WallTime(milliseconds: integer(0)), condition: try value(1, DeviceCondition.self),
            value: isNull(2) ? nil : try json(2, ConditionValue.self), source: text(3), overridden: flag(4))
    }
}
