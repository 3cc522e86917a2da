import Arguments
import Platform
import RPC

/// `sockets`: every control socket that can be found, and who answers there.
struct SocketsCommand {
    let surroundings: Surroundings
    let style: Style

    /// How long one socket may take to answer.
    private static let patience: Int64 = 2_000

    private struct Place {
        let path: String
        /// Whose it is: `named`, `user`, `system` or `app`.
        let owner: String
        var app: String?
    }

    /// What a socket came to.
    private enum Finding {
        case daemon(hello: JSONValue, status: JSONValue)
        case silent(String)
    }

    func run(_ parsed: ParsedArguments) throws(ControlFailure) -> ControlStatus {
        let findings = try places(parsed).map { ($0, look(at: $0)) }
        if parsed.isSet(ControlDescription.json) {
            surroundings.console.write(json(findings))
        } else {
            surroundings.console.write(text(findings))
        }
        for case (_, .daemon) in findings { return .done }
        return .noDaemon
    }

    // MARK: Looking

    private func places(_ parsed: ParsedArguments) throws(ControlFailure) -> [Place] {
        let location = SocketLocation(variable: surroundings.variable, uid: surroundings.user)
        switch try SocketChoice(parsed, appIsParameter: false) {
        case .path(let path): return [Place(path: path, owner: "named")]
        case .user: return [Place(path: location.user, owner: "user")]
        case .system: return [Place(path: SocketLocation.system, owner: "system")]
        case .app(let app): return [Place(path: location.app(app), owner: "app", app: app)]
        case .any: return places(location)
        }
    }

    private func places(_ location: SocketLocation) -> [Place] {
        var places = [Place(path: location.user, owner: "user"), Place(path: SocketLocation.system, owner: "system")]
        if let named = location.named, !places.contains(where: { $0.path == named }) {
            places.insert(Place(path: named, owner: "named"), at: 0)
        }
        for name in surroundings.names(location.appsFolder) {
            guard let app = SocketLocation.app(ofSocket: name) else { continue }
            places.append(Place(path: "\(location.appsFolder)/\(name)", owner: "app", app: app))
        }
        return places
    }

    private func look(at place: Place) -> Finding {
        let connection: ControlConnection
        do throws(SystemError) {
            connection = ControlConnection(
                try surroundings.connectAtOnce(place.path), answerTime: Self.patience)
        } catch {
            return .silent(error.explanation ?? SystemError.text(for: error.code))
        }
        let deadline = SystemClock.milliseconds(.awake) + Self.patience
        do throws(ControlFailure) {
            let hello = try connection.greet(until: deadline)
            let status = try connection.call(ControlMethods.status.name, until: deadline)
            return .daemon(hello: hello, status: status)
        } catch {
            return .silent(error.message)
        }
    }

    // MARK: Showing

    private func text(_ findings: [(place: Place, finding: Finding)]) -> String {
        var table = TextTable([
            .init("SOCKET"), .init("OF"), .init("SERVER"), .init("VERSION"), .init("PID", numeric: true),
            .init("ACCESS"), .init("WHY NOT"),
        ])
        for (place, finding) in findings {
            let owner = place.app.map { "app \(Printable.text($0))" } ?? place.owner
            let path = Printable.text(place.path)
            switch finding {
            case .daemon(let hello, let status):
                table.add([
                    .init(path, .green), .init(owner), .init(hello.text("server")), .init(hello.text("version")),
                    .init(status.number("pid")), .init(hello.text("access")), "",
                ])
            case .silent(let reason): table.add([.init(path), .init(owner), "", "", "", "", .init(reason, .yellow)])
            }
        }
        return table.text(style)
    }

    private func json(_ findings: [(place: Place, finding: Finding)]) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.key("sockets")
            writer.array { writer in
                for (place, finding) in findings {
                    writer.object { writer in write(place, finding, into: &writer) }
                }
            }
        }
        writer.endLine()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func write(_ place: Place, _ finding: Finding, into writer: inout JSONWriter) {
        writer.member("socket", place.path)
        writer.member("of", place.owner)
        writer.member("app", place.app)
        switch finding {
        case .daemon(let hello, let status):
            writer.member("answers", true)
            for name in ["server", "version", "user", "access", "instance"] {
                guard let value = hello[name] else { continue }
                writer.key(dynamic: name)
                writer.value(value)
            }
            writer.member("pid", status["pid"])
        case .silent(let reason):
            writer.member("answers", false)
            writer.member("reason", reason)
        }
    }
}
