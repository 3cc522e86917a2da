import Platform

@testable import RunnerControl

/// One use of the program, with a daemon at the user's socket.
struct Session {
    static let now: Int64 = 1_796_028_300_000  // 2026-11-30T08:45:00Z
    static let socket = "/run/user/1000/runner/control.sock"

    let console: RecordingConsole
    let status: ControlStatus
    let tried: [String]

    /// - Parameters:
    ///   - listening: where the daemon is.
    ///   - denied: where this user may not connect.
    ///   - names: the names in each folder.
    init(
        _ arguments: [String], daemon: FakeDaemon? = nil, listening: [String] = [Session.socket],
        denied: [String] = [], variables: [String: String] = [:], user: UInt32 = 1_000, isTerminal: Bool = false,
        width: Int? = nil, height: Int? = nil, mostLines: Int = .max, names: [String: [String]] = [:],
        greetingTime: Int64 = 60_000,
        answerTime: Int64 = 60_000, completionTime: Int64 = 60_000
    ) {
        let console = RecordingConsole(isTerminal: isTerminal)
        console.mostLines = mostLines
        console.width = width
        console.height = height
        let tried = Locked<[String]>([])
        let environment = ["XDG_RUNTIME_DIR": "/run/user/1000"].merging(variables) { $1 }
        let connect = { (path: String) throws(SystemError) -> OwnedDescriptor in
            tried.withLock { $0.append(path) }
            if denied.contains(path) { throw SystemError(code: 13, operation: "connect to", path: path) }
            guard let daemon, listening.contains(path) else {
                throw SystemError(code: 2, operation: "connect to", path: path)
            }
            return try daemon.connect()
        }
        let surroundings = Surroundings(
            variable: { environment[$0] }, user: user, console: console, wallTime: { Session.now }, lookInterval: 1,
            reconnectIntervals: 1...1, greetingTime: greetingTime, answerTime: answerTime,
            completionTime: completionTime, endRequests: { nil }, connect: connect, connectAtOnce: connect,
            names: { names[$0] ?? [] })
        status = ControlProgram(surroundings: surroundings).run(arguments)
        self.console = console
        self.tried = tried.withLock { $0 }
    }

    var output: String { console.output }
    var errors: String { console.errors }
}
