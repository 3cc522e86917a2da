/// Puts a line with values together.
public struct OSLogInterpolation: StringInterpolationProtocol, Sendable {
    var text = ""

    /// Begins a line.
    public init(literalCapacity: Int, interpolationCount: Int) {
        text.reserveCapacity(literalCapacity)
    }

    /// Adds words.
    public mutating func appendLiteral(_ literal: String) {
        text += literal
    }

    /// Adds a value.
    public mutating func appendInterpolation<Value>(
        _ value: @autoclosure () -> Value, privacy: OSLogPrivacy = .auto
    ) {
        text += privacy.hides ? "<private>" : "\(value())"
    }
}
