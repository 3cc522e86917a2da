extension Scheduler {
    /// The gate that holds a pending request now, without its words: cheap, for who looks often.
    package func holdingGate(of identifier: TaskIdentifier) -> GateName? {
        guard let slot = tasks.slot(of: identifier), tasks.entries[Int(slot)].hasRequest else { return nil }
        return tasks.entries[Int(slot)].place == .ready ? globalHold : tasks.entries[Int(slot)].gate
    }
}
