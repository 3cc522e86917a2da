/// What a line says; values may be marked as private.
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
    let text: String

    /// A line without values.
    public init(stringLiteral value: String) {
        text = value
    }

    /// A line with values.
    public init(stringInterpolation: OSLogInterpolation) {
        text = stringInterpolation.text
    }
}
