import Testing

@testable import RunnerDaemon

/// What a daemon finds around it at its start, without a disk.
struct FakeSurroundings {
    var variables: [String: String] = [:]
    var uid: UInt32 = 1_000
    var home: String? = "/home/user"
    var workingFolder: String? = "/srv"
    /// Files by their paths.
    var files: [String: ConfigurationFile.Contents] = [:]

    static let userFile = "/home/user/.config/runner/runner.json"

    init(uid: UInt32 = 1_000, variables: [String: String] = [:], file: String? = nil) {
        self.uid = uid
        self.variables = variables
        if let file { files[uid == 0 ? "/etc/runner/runner.json" : Self.userFile] = .bytes(Array(file.utf8)) }
    }

    func parse(_ arguments: [String] = []) -> DaemonArguments.Outcome {
        DaemonArguments.parse(
            arguments, environment: { variables[$0] }, uid: uid, home: home, workingFolder: workingFolder,
            read: { files[$0] ?? .missing })
    }

    /// The configuration that the arguments must give.
    func configuration(
        _ arguments: [String] = [], sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> DaemonConfiguration {
        let outcome = parse(arguments)
        guard case .run(let configuration) = outcome else {
            Issue.record("no configuration came out: \(outcome)", sourceLocation: sourceLocation)
            throw NoConfiguration()
        }
        return configuration
    }

    struct NoConfiguration: Error {}
}
