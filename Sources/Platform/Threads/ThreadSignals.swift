import CLinux
import Glibc

/// What a program decides about signals before it starts any thread.
package enum ThreadSignals {
    /// Blocks signals in the calling thread and in every thread that it starts later.
    ///
    /// A signal that the event loop receives must be blocked in *all* threads, so call this first in `main`.
    package static func block(_ signals: [Int32]) {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        let result = pthread_sigmask(SIG_BLOCK, &set, nil)
        precondition(result == 0, "a signal number is out of range")
    }

    /// Makes a write to a closed pipe an error instead of the end of the process. For whole programs only: a library
    /// must leave the choice to the program that uses it.
    package static func ignoreSIGPIPE() {
        signal(SIGPIPE, SIG_IGN)
    }

    /// Ended children wait to be reaped, whatever whoever started the program has decided: if `SIGCHLD` is ignored, nobody
    /// learns how they ended, and their numbers are given again at once. For whole programs only.
    package static func keepEndedChildren() {
        signal(SIGCHLD, SIG_DFL)
    }

    /// A descriptor that becomes readable when the program is asked to end, which then does not end it any more.
    ///
    /// For programs of one thread.
    package static func endRequests() throws(SystemError) -> OwnedDescriptor {
        let signals = [SIGINT, SIGTERM]
        let descriptor = runner_signalfd(signals, signals.count)
        guard descriptor >= 0 else { throw SystemError(code: -descriptor, operation: "watch", path: "signals") }
        return OwnedDescriptor(descriptor)
    }

    /// Runs the body with every signal blocked; threads that it starts inherit that.
    static func withAllBlocked<Result>(_ body: () -> Result) -> Result {
        var all = sigset_t()
        var previous = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
        return body()
    }
}
