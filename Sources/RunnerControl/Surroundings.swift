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
    var connect: (String) throws(SystemError) -> OwnedDescriptor

    /// Those of this process.
    static func ofProcess() -> Surroundings {
        Surroundings(
            variable: ProcessEnvironment.variable, user: ProcessEnvironment.effectiveUser, console: StandardConsole(),
            wallTime: { SystemClock.milliseconds(.wall) },
            connect: { (path) throws(SystemError) in try UnixSocket.connect(path: path) })
    }
}
