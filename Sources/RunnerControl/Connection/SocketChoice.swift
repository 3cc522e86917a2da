import Arguments
import Scheduling

/// The socket that the options choose.
enum SocketChoice: Equatable {
    case path(String)
    case user
    case system
    /// That of the program which embeds the runner as this app.
    case app(String)
    /// None in particular.
    case any

    /// - Parameter appIsParameter: whether `--app` may mean an app of the daemon, and so goes with the others.
    init(_ parsed: ParsedArguments, appIsParameter: Bool) throws(ControlFailure) {
        let given = [
            ControlDescription.socket, ControlDescription.user, ControlDescription.system, ControlDescription.app,
        ].filter { parsed.isSet($0) && !(appIsParameter && $0 == ControlDescription.app) }
        guard given.count <= 1 else {
            throw Self.misuse("\(given.joined(separator: " and ")) each choose a socket; give one of them.")
        }
        let app = parsed.value(of: ControlDescription.app)
        if let app { try Self.check(app: app) }
        if let path = parsed.value(of: ControlDescription.socket) {
            guard !path.isEmpty else {
                throw Self.misuse("\(ControlDescription.socket) must be followed by the path of a socket; it is empty.")
            }
            self = .path(path)
        } else if parsed.isSet(ControlDescription.user) {
            self = .user
        } else if parsed.isSet(ControlDescription.system) {
            self = .system
        } else if let app {
            self = .app(app)
        } else {
            self = .any
        }
    }

    /// The options that choose the same.
    var words: [String] {
        switch self {
        case .path(let path): [ControlDescription.socket, path]
        case .user: [ControlDescription.user]
        case .system: [ControlDescription.system]
        case .app(let app): [ControlDescription.app, app]
        case .any: []
        }
    }

    // MARK: Private

    private static func check(app: String) throws(ControlFailure) {
        guard let problem = IdentifierSyntax.problem(in: app) else { return }
        throw misuse(
            "\(ControlDescription.app) must be an app's identifier, such as com.example.app, and not "
                + "“\(IdentifierSyntax.printable(app))”: \(problem).")
    }

    private static func misuse(_ message: String) -> ControlFailure {
        .usage(UsageError(message, help: "runnerctl --help"))
    }
}
