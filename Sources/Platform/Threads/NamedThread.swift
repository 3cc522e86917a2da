import CLinux
import Glibc

/// A thread with a name and with all signals blocked, so that it never runs a handler of the program around us.
package final class NamedThread: Sendable {
    private enum State {
        /// → `joining`.
        case running
        /// Someone waits for its end. → `joined`.
        case joining
        case joined
    }

    private let thread: pthread_t
    private let state = Locked(State.running)

    /// Starts the thread; the kernel keeps 15 bytes of the name.
    package init(name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
        let start = Unmanaged.passRetained(Start(name: name, body: body))
        var thread = pthread_t()
        let result = ThreadSignals.withAllBlocked {
            pthread_create(&thread, nil, NamedThread.run, start.toOpaque())
        }
        guard result == 0 else {
            start.release()
            throw SystemError(code: result, operation: "start the thread", path: name)
        }
        self.thread = thread
    }

    deinit {
        state.withLock { state in
            guard case .running = state else { return }
            pthread_detach(thread)
        }
    }

    package var isCurrent: Bool {
        pthread_equal(thread, pthread_self()) != 0
    }

    /// Waits for the thread's end. Only the first call waits; it must not come from the thread itself.
    package func join() {
        precondition(!isCurrent, "a thread cannot wait for its own end")
        let first = state.withLock { state in
            guard case .running = state else { return false }
            state = .joining
            return true
        }
        guard first else { return }
        pthread_join(thread, nil)
        state.withLock { $0 = .joined }
    }

    /// The kernel's number of the calling thread, as in `/proc/self/task`.
    package static var currentIdentifier: Int32 {
        runner_thread_identifier()
    }

    // MARK: Private

    private final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    private static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
        guard let argument else { return nil }
        let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
        runner_name_thread(start.name)
        start.body()
        return nil
    }
}
