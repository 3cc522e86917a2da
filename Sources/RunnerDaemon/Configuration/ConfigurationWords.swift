import RPC
import SystemPlatform

// The words of the configuration file, as far as the types that they stand for have no texts of their own.

enum LimitsWord: String, CaseIterable {
    case generous
    case apple
}

enum LogLevelWord: String, CaseIterable {
    case error
    case warning
    case notice
    case info
    case debug

    var level: LogLevel {
        switch self {
        case .error: .error
        case .warning: .warning
        case .notice: .notice
        case .info: .info
        case .debug: .debug
        }
    }
}

enum DestinationWord: String, CaseIterable {
    case automatic
    case journal
    case standardError = "stderr"
}

enum LevelWord: String, CaseIterable {
    case read
    case operate
    case admin

    var level: AccessLevel {
        switch self {
        case .read: .read
        case .operate: .operate
        case .admin: .admin
        }
    }
}

enum OthersWord: String, CaseIterable {
    case none
    case read
    case operate
    case admin
}
