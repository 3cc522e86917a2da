/// How the program ends.
enum ControlStatus: Int32 {
    case done = 0
    /// The task that was waited for ended in another way than `succeeded`, a manifest has errors, a bundle or a picture
    /// could not be made, or the output could not be written.
    case unsuccessful = 1
    /// The command line cannot be understood, here or by the daemon.
    case usage = 2
    /// The daemon said no.
    case refused = 3
    /// Nobody listens, or whoever does is no runner or does not answer.
    case noDaemon = 4
    case timedOut = 5
}
