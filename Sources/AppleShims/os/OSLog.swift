import Platform

/// Whom a line of the log comes from.
public final class OSLog: Sendable {
    /// The lines of nobody in particular.
    public static let `default` = OSLog(subsystem: "", category: "")
    /// Lines that are not written.
    public static let disabled = OSLog(subsystem: "", category: "", isEnabled: false)

    private let prefix: String
    private let isEnabled: Bool

    /// Names a part of the program.
    public convenience init(subsystem: String, category: String) {
        self.init(subsystem: subsystem, category: category, isEnabled: true)
    }

    private init(subsystem: String, category: String, isEnabled: Bool) {
        let name = [subsystem, category].filter { !$0.isEmpty }.joined(separator: ":")
        prefix = name.isEmpty ? "" : "[\(name)] "
        self.isEnabled = isEnabled
    }

    /// Whether lines of this level are written.
    public func isEnabled(type: OSLogType) -> Bool { isEnabled }

    /// Standard error is where a program's log is: `runnerd` keeps it with the run, a terminal shows it.
    func write(_ type: OSLogType, _ message: String) {
        guard isEnabled else { return }
        ProcessEnvironment.complain("\(type.word): \(prefix)\(message)")
    }
}
