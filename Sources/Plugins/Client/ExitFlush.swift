import Platform

/// Sends what waits when the process exits, so that a completion counts though its handler calls `exit` at once.
enum ExitFlush {
    private static let sessions = Locked<[PluginSession]>([])
    private static let isInstalled: Bool = {
        ProcessEnvironment.atExit { ExitFlush.flush() }
        return true
    }()

    static func add(_ session: PluginSession) {
        guard isInstalled else { return }
        sessions.withLock { $0.append(session) }
    }

    private static func flush() {
        for session in sessions.withLock({ $0 }) { session.flushBeforeExit() }
    }
}
