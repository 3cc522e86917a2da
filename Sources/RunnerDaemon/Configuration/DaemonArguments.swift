import Arguments
import Plugins
import Scheduling
import SystemPlatform

/// The command line of `runnerd`, with the environment and the configuration file: options beat the environment, which
/// beats the file.
package enum DaemonArguments {
    package enum Outcome: Equatable, Sendable {
        case run(DaemonConfiguration)
        /// To be printed on standard output, and nothing else done; it ends with a line feed.
        case help(String)
        /// Likewise, without a line feed.
        case version(String)
        /// The arguments cannot be understood: exit status 2. One line, without the program's name before it.
        case usage(String)
        /// The configuration file cannot be used: exit status 1. A line for each problem.
        case failure(String)
    }

    /// - Parameters:
    ///   - arguments: those that follow the program's name.
    ///   - environment: looks up a variable.
    ///   - uid: the effective user.
    ///   - home: the user's home folder, for when `HOME` does not name it.
    ///   - workingFolder: what relative paths are relative to; without one they stay relative.
    ///   - read: what there is at a path.
    package static func parse(
        _ arguments: [String], environment: (String) -> String?, uid: UInt32, home: String?,
        workingFolder: String? = nil, read: (String) -> ConfigurationFile.Contents = ConfigurationFile.read
    ) -> Outcome {
        do throws(UsageError) {
            switch try ArgumentParser(DaemonDescription.program).parse(arguments) {
            case .help(let page):
                return .help(DaemonDescription.manual(page))
            case .version(let text):
                return .version(text)
            case .run(let parsed):
                let options = try DaemonOptions(parsed, workingFolder: workingFolder)
                let places = DaemonPlaces(variable: environment, uid: uid, home: home)
                return configuration(options, places, workingFolder: workingFolder, read)
            }
        } catch {
            return .usage(error.description)
        }
    }

    // MARK: Private

    private static func configuration(
        _ options: DaemonOptions, _ places: DaemonPlaces, workingFolder: String?,
        _ read: (String) -> ConfigurationFile.Contents
    ) -> Outcome {
        var configuration = places.configuration
        if let policy = options.policy { configuration.policy = policy }
        if let file = options.configurationFile ?? places.configurationFile {
            let problems = takeOver(file, options, places, &configuration, read)
            guard problems.isEmpty else {
                return .failure(problems.map(\.description).joined(separator: "\n"))
            }
        }
        if let path = places.namedSocket {
            configuration.socketPath = DaemonOptions.absolute(path, in: workingFolder)
        }
        options.apply(to: &configuration)
        configuration.socketIsDefault = configuration.socketPath == places.socket
        return .run(configuration)
    }

    /// Reads the file into the configuration, and returns what is wrong with it.
    private static func takeOver(
        _ file: String, _ options: DaemonOptions, _ places: DaemonPlaces, _ configuration: inout DaemonConfiguration,
        _ read: (String) -> ConfigurationFile.Contents
    ) -> [ManifestProblem] {
        func unreadable(_ message: String, fix: String) -> [ManifestProblem] {
            [ManifestProblem(.error, .unreadable, file: file, message: message, fix: fix)]
        }
        switch read(file) {
        case .bytes(let bytes):
            configuration.configurationFile = file
            return ConfigurationFile.apply(
                bytes, path: file, home: places.home, chosenPolicy: options.policy, to: &configuration)
        case .missing where options.configurationFile != nil:
            return unreadable("There is no such file.", fix: "Check the path after --config.")
        case .missing:
            return []
        case .unreadable(let reason):
            return unreadable(
                "The configuration cannot be read: \(reason)",
                fix: "Make it a file that the daemon's user may read, or name another with --config.")
        }
    }
}
