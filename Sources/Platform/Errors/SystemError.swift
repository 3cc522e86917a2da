import CLinux
import Glibc

/// A system call that failed: what was tried, on what, and why it did not work.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The errno.
    package var code: Int32
    /// What was tried, so that "cannot" can stand before it: `open`, `connect to`.
    package var operation: String
    package var path: String?
    /// Says more than the system's own text for the code, which it replaces.
    package var explanation: String?

    package init(code: Int32, operation: String, path: String? = nil, explanation: String? = nil) {
        self.code = code
        self.operation = operation
        self.path = path
        self.explanation = explanation
    }

    package var description: String {
        let object = path.map { " \($0)" } ?? ""
        return "cannot \(operation)\(object): \(explanation ?? Self.text(for: code))"
    }

    /// Descriptors or memory ran out: it may work later.
    package var isShortage: Bool {
        code == EMFILE || code == ENFILE || code == ENOMEM || code == ENOBUFS
    }

    /// There are too many of something just now, processes for example.
    package var wouldWorkLater: Bool { code == EAGAIN }

    /// This process may open no more.
    package var isOutOfDescriptors: Bool { code == EMFILE }

    /// Somebody else may, but not this user.
    package var isDenied: Bool {
        code == EACCES || code == EPERM
    }

    /// The system's text for an errno.
    package static func text(for code: Int32) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
            guard let start = buffer.baseAddress else { return "error \(code)" }
            runner_error_text(code, start, buffer.count)
            return String(cString: start)
        }
    }

    /// Passes on what a call of `CLinux` returned, whose errors are negative errnos.
    @discardableResult
    package static func check(
        _ result: Int32, _ operation: @autoclosure () -> String, path: @autoclosure () -> String? = nil
    ) throws(SystemError) -> Int32 {
        guard result >= 0 else { throw SystemError(code: -result, operation: operation(), path: path()) }
        return result
    }

    /// The error of the C call that has just failed.
    package static func last(_ operation: String, path: String? = nil) -> SystemError {
        SystemError(code: errno, operation: operation, path: path)
    }
}
