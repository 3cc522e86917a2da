/// What some numbers are like: each figure is one of the numbers themselves.
package struct Distribution<Value: Comparable & Sendable & Hashable>: Hashable, Sendable {
    package let least: Value
    package let lowerQuartile: Value
    package let median: Value
    package let upperQuartile: Value
    package let most: Value

    /// `nil` when there are none.
    package init?(_ values: some Sequence<Value>) {
        let sorted = values.sorted()
        guard let least = sorted.first, let most = sorted.last else { return nil }
        /// The least number that at least so many quarters of all do not exceed.
        func quartile(_ quarters: Int) -> Value { sorted[max(0, (sorted.count * quarters + 3) / 4 - 1)] }
        self.least = least
        self.most = most
        lowerQuartile = quartile(1)
        median = quartile(2)
        upperQuartile = quartile(3)
    }
}
