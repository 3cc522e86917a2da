/// Which changes of the device `device.history` asks for.
package struct DeviceChangeQuery: Hashable, Sendable {
    package var condition: DeviceCondition?
    /// Only those that the store was given earlier than the one with this number.
    package var before: Int64?
    package var limit: Int

    package init(condition: DeviceCondition? = nil, before: Int64? = nil, limit: Int = 100) {
        self.condition = condition
        self.before = before
        self.limit = limit
    }
}

/// A page of device changes; `next` is there when older ones match.
package struct DeviceChangePage: Hashable, Sendable {
    package var changes: [DeviceChange]
    /// The store's number of the last of them.
    package var next: Int64?

    package init(changes: [DeviceChange], next: Int64? = nil) {
        self.changes = changes
        self.next = next
    }
}
