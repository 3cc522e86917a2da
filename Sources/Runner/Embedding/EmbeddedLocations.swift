import Platform
import Scheduling

/// Where an embedding program keeps its state and its socket.
struct EmbeddedLocations {
    let stateFolder: String
    let socketPath: String
    /// The folders above the socket that are made when they are missing, the outer one first.
    let socketFolders: [String]

    init(app: AppIdentifier) {
        let uid = ProcessEnvironment.effectiveUser
        let state = StateLocation(
            variable: ProcessEnvironment.variable, uid: uid, home: UserDatabase.user(uid: uid)?.home)
        let socket = SocketLocation(variable: ProcessEnvironment.variable, uid: uid)
        stateFolder = state.app(app.text)
        socketPath = socket.app(app.text)
        let inner = Self.parent(of: socketPath)
        socketFolders = [Self.parent(of: inner), inner]
    }

    private static func parent(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }
}
