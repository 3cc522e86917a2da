/// How much a line of the log matters.
public struct OSLogType: RawRepresentable, Hashable, Sendable {
    /// The number of the level.
    public let rawValue: UInt8

    /// Makes a level of its number.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// What happened, worth keeping.
    public static let `default` = OSLogType(rawValue: 0)
    /// What happened.
    public static let info = OSLogType(rawValue: 1)
    /// What only a developer wants to know.
    public static let debug = OSLogType(rawValue: 2)
    /// Something went wrong.
    public static let error = OSLogType(rawValue: 16)
    /// Something went wrong that should be impossible.
    public static let fault = OSLogType(rawValue: 17)

    var word: String {
        switch self {
        case .info: "info"
        case .debug: "debug"
        case .error: "error"
        case .fault: "fault"
        default: "notice"
        }
    }
}
