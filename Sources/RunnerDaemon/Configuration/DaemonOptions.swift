import Arguments
import Scheduling
import SystemPlatform

/// What the options say, checked and with absolute paths.
struct DaemonOptions {
    let configurationFile: String?
    let policy: Policy?
    private let socketPath: String?
    private let stateFolder: String?
    private let pluginFolders: [String]
    private let recordFile: String?
    private let logLevel: LogLevel?
    private let definitions: [String: String]
    private let foreground: Bool
    private let trustBundles: Bool

    init(_ parsed: ParsedArguments, workingFolder: String?) throws(UsageError) {
        func paths(_ option: OptionDescription) throws(UsageError) -> [String] {
            let values = parsed.values(of: option.name)
            guard !values.contains("") else {
                throw UsageError(
                    "\(option.name) needs a path that is not empty: \(option.name) \(option.valueName ?? "").",
                    help: DaemonDescription.helpCommand)
            }
            return values.map { Self.absolute($0, in: workingFolder) }
        }
        configurationFile = try paths(DaemonDescription.config).first
        socketPath = try paths(DaemonDescription.socket).first
        stateFolder = try paths(DaemonDescription.state).first
        pluginFolders = try paths(DaemonDescription.plugins)
        recordFile = try paths(DaemonDescription.record).first
        policy = try Self.policy(parsed)
        logLevel = try parsed.word(
            of: DaemonDescription.log.name, among: LogLevelWord.allCases.map(\.rawValue)
        ).flatMap { LogLevelWord(rawValue: $0)?.level }
        definitions = try Self.definitions(parsed)
        foreground = parsed.isSet(DaemonDescription.foreground.name)
        trustBundles = parsed.isSet(DaemonDescription.trustBundles.name)
    }

    func apply(to configuration: inout DaemonConfiguration) {
        if let socketPath { configuration.socketPath = socketPath }
        if let stateFolder { configuration.stateFolder = stateFolder }
        if !pluginFolders.isEmpty {
            configuration.pluginFolders = pluginFolders
            configuration.pluginFoldersAreDefault = false
        }
        if let logLevel { configuration.logLevel = logLevel }
        if trustBundles { configuration.trustBundles = true }
        configuration.definitions.merge(definitions) { _, option in option }
        configuration.recordFile = recordFile
        configuration.foreground = foreground
        if foreground { configuration.logDestination = .standardError }
    }

    static func absolute(_ path: String, in workingFolder: String?) -> String {
        guard let workingFolder, !path.hasPrefix("/") else { return path }
        return workingFolder.hasSuffix("/") ? workingFolder + path : "\(workingFolder)/\(path)"
    }

    // MARK: Private

    private static func policy(_ parsed: ParsedArguments) throws(UsageError) -> Policy? {
        guard let name = parsed.value(of: DaemonDescription.policy.name) else { return nil }
        do throws(PolicyName.Problem) {
            return try PolicyName.policy(name)
        } catch {
            throw UsageError("\(error.message) \(error.fix)", help: DaemonDescription.helpCommand)
        }
    }

    private static func definitions(_ parsed: ParsedArguments) throws(UsageError) -> [String: String] {
        var definitions: [String: String] = [:]
        for text in parsed.values(of: DaemonDescription.define.name) {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else {
                throw UsageError("--define must be NAME=VALUE, not “\(text)”.", help: DaemonDescription.helpCommand)
            }
            let name = String(parts[0])
            guard DefinitionName.isWellFormed(name) else {
                throw UsageError(
                    "“\(name)” in --define is no name for $(NAME). \(DefinitionName.rule)",
                    help: DaemonDescription.helpCommand)
            }
            guard definitions[name] == nil else {
                throw UsageError("--define gives \(name) more than once.", help: DaemonDescription.helpCommand)
            }
            definitions[name] = String(parts[1])
        }
        return definitions
    }
}
