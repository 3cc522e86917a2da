/// Writes lines into the log of the program: on standard error, which `runnerd` keeps with the run.
public struct Logger: Sendable {
    private let log: OSLog

    /// A log of nobody in particular.
    public init() {
        log = .default
    }

    /// The log of a part of the program.
    public init(subsystem: String, category: String) {
        log = OSLog(subsystem: subsystem, category: category)
    }

    /// The log of a part that has a name already.
    public init(_ logObj: OSLog) {
        log = logObj
    }

    /// Writes a line of a level.
    public func log(level: OSLogType, _ message: OSLogMessage) { log.write(level, message.text) }
    /// Writes what happened, worth keeping.
    public func log(_ message: OSLogMessage) { log.write(.default, message.text) }
    /// Writes what only a developer wants to know.
    public func trace(_ message: OSLogMessage) { log.write(.debug, message.text) }
    /// Writes what only a developer wants to know.
    public func debug(_ message: OSLogMessage) { log.write(.debug, message.text) }
    /// Writes what happened.
    public func info(_ message: OSLogMessage) { log.write(.info, message.text) }
    /// Writes what happened, worth keeping.
    public func notice(_ message: OSLogMessage) { log.write(.default, message.text) }
    /// Writes that something may go wrong.
    public func warning(_ message: OSLogMessage) { log.write(.error, message.text) }
    /// Writes that something went wrong.
    public func error(_ message: OSLogMessage) { log.write(.error, message.text) }
    /// Writes that something went wrong that should be impossible.
    public func critical(_ message: OSLogMessage) { log.write(.fault, message.text) }
    /// Writes that something went wrong that should be impossible.
    public func fault(_ message: OSLogMessage) { log.write(.fault, message.text) }
}
