/// Why a socket could not be put at a path.
package struct SocketListenFailure: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Reason: Equatable, Sendable {
        /// Something answers there. It is never replaced.
        case inUse
        /// A symbolic link is there. It is never followed.
        case symbolicLink
        /// A file or folder is there that is no socket. It is never replaced.
        case notASocket
        case system(SystemError)
    }

    package var reason: Reason
    package var path: String

    package init(_ reason: Reason, path: String) {
        self.reason = reason
        self.path = path
    }

    package var description: String {
        switch reason {
        case .inUse:
            "cannot listen at \(path): another process answers there; stop it, or choose another path"
        case .symbolicLink:
            "cannot listen at \(path): a symbolic link is in the way; remove it, or choose another path"
        case .notASocket:
            "cannot listen at \(path): something that is no socket is in the way; remove it, or choose another path"
        case .system(let error):
            String(describing: error)
        }
    }
}
