/// How the program ends.
enum ControlStatus: Int32 {
    case done = 0
    /// The task that was waited for ended in another way than `succeeded`, a manifest has errors, a bundle could not be
    /// made, or the output could not be written.
    case unsuccessful = 1
    /// The command line cannot be understood.
    case usage = 2
    /// The daemon said no.
    case refused = 3
    case noDaemon = 4
    case timedOut = 5
}
