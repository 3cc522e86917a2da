import Arguments
import Platform

/// Where a daemon is looked for, and what is said when there is none.
struct SocketSearch {
    let paths: [String]
    /// The app whose program was meant, when one was.
    var app: String?

    init(_ parsed: ParsedArguments, location: SocketLocation, appIsParameter: Bool) throws(ControlFailure) {
        let choices = [
            ControlDescription.socket, ControlDescription.user, ControlDescription.system, ControlDescription.app,
        ].filter { parsed.isSet($0) && !(appIsParameter && $0 == ControlDescription.app) }
        guard choices.count <= 1 else {
            throw .usage(
                UsageError(
                    "\(choices.joined(separator: " and ")) each choose a socket; give one of them.",
                    help: "runnerctl --help"))
        }
        if let path = parsed.value(of: ControlDescription.socket) {
            paths = [path]
        } else if parsed.isSet(ControlDescription.user) {
            paths = [location.user]
        } else if parsed.isSet(ControlDescription.system) {
            paths = [SocketLocation.system]
        } else if let app = parsed.value(of: ControlDescription.app) {
            self.app = app
            paths = [location.app(app)] + (appIsParameter ? location.candidates : [])
        } else {
            paths = location.candidates
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
                "This user may not connect.\(tried)\nJoin the socket's group, or ask as its owner or as root.")
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
