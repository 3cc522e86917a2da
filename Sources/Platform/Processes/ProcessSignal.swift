import Glibc

/// The signals that end processes.
package enum ProcessSignal {
    /// Asks a process to end.
    package static let terminate: Int32 = SIGTERM
    /// Ends a process, whatever it wishes.
    package static let kill: Int32 = SIGKILL
    /// Asks a daemon to read its configuration again.
    package static let hangUp: Int32 = SIGHUP
    /// A person's Control-C.
    package static let interrupt: Int32 = SIGINT
}
