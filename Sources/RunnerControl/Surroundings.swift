import Platform

/// What the program finds around it, so that tests can give it other things.
struct Surroundings {
    var variable: (String) -> String?
    var user: UInt32
    var console: any Console
    /// Milliseconds since 1970.
    var wallTime: () -> Int64
    /// How often a run that goes on is looked at, in milliseconds.
    var lookInterval: Int64 = 250
    /// How long an event stream waits before it looks for the daemon again, in milliseconds: at first, and at most.
    var reconnectIntervals: ClosedRange<Int64> = 100...2_000
    /// How long a daemon may take to say who it is, in milliseconds.
    var greetingTime = Surroundings.patience
    /// How long a daemon may then take to answer what does not wait for a run, in milliseconds.
    var answerTime: Int64 = 60_000
    /// How long a shell waits for the words that complete a line, in milliseconds.
    var completionTime: Int64 = 500
    /// A descriptor that becomes readable when the program is asked to end.
    var endRequests: () -> OwnedDescriptor?
    var connect: (String) throws(SystemError) -> OwnedDescriptor
    /// Connects without ever waiting.
    var connectAtOnce: (String) throws(SystemError) -> OwnedDescriptor
    /// The names in a folder.
    var names: (String) -> [String]
    /// Where this program is.
    var ownFolder: String?

    private static let patience: Int64 = 10_000

    /// Those of this process.
    static func ofProcess() -> Surroundings {
        Surroundings(
            variable: ProcessEnvironment.variable, user: ProcessEnvironment.effectiveUser, console: StandardConsole(),
            wallTime: { SystemClock.milliseconds(.wall) }, endRequests: { try? ThreadSignals.endRequests() },
            connect: { (path) throws(SystemError) in try UnixSocket.connect(path: path, within: patience) },
            connectAtOnce: { (path) throws(SystemError) in try UnixSocket.connectAtOnce(path: path) },
            names: PlainFile.names, ownFolder: ProcessEnvironment.programFolder)
    }
}
