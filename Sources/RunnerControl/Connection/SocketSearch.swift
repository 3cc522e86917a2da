import Arguments
import Platform

/// Where a daemon is looked for, and what is said when there is none.
struct SocketSearch {
    let paths: [String]
    /// The app whose program was meant, when one was.
    var app: String?

    init(_ parsed: ParsedArguments, location: SocketLocation, appIsParameter: Bool) throws(ControlFailure) {
        switch try SocketChoice(parsed, appIsParameter: appIsParameter) {
        case .path(let path): paths = [path]
        case .user: paths = [location.user]
        case .system: paths = [SocketLocation.system]
        case .app(let app):
            self.app = app
            paths = [location.app(app)] + (appIsParameter ? location.candidates : [])
        case .any: paths = location.candidates
        }
    }

    /// The first of the sockets that answers.
    func connect(_ connect: (String) throws(SystemError) -> OwnedDescriptor) throws(ControlFailure) -> OwnedDescriptor {
        var tried = ""
        var isDenied = false
        for path in paths {
            do throws(SystemError) {
                return try connect(path)
            } catch {
                isDenied = isDenied || error.isDenied
                tried += "\n  tried \(path): \(error.explanation ?? SystemError.text(for: error.code))"
            }
        }
        if isDenied {
            throw .noDaemon(
                "This user may not connect.\(tried)\nAsk as the socket's owner or as root; where the socket has a group "
                    + "(“ls -l” shows it, access.group in the daemon's configuration gives it one), its members may, too."
            )
        }
        throw .noDaemon("No daemon answers.\(tried)\n\(advice)")
    }

    private var advice: String {
        if let app, paths.count == 1 {
            return "Start the program that embeds the runner as \(app), or name another socket with --socket."
        }
        return "Start one with “systemctl start runner”, “systemctl --user start runner” or “runnerd --foreground”, "
            + "or name another socket with --socket."
    }
}
