import FoundationEssentials
import Glibc
import Plugins
import RPC
import Scheduling

/// The configuration file: strict JSON plus `//` comments.
package enum ConfigurationFile {
    /// What there is at a path.
    package enum Contents: Equatable, Sendable {
        case bytes([UInt8])
        case missing
        /// It is there and cannot be read; the sentence says why.
        case unreadable(String)
    }

    /// A configuration is text that people write; nothing real comes near this.
    private static let sizeLimit = 1 << 20

    /// Reads a file from the disk.
    package static func read(_ path: String) -> Contents {
        var status = stat()
        guard stat(path, &status) == 0 else {
            let code = errno
            return code == ENOENT || code == ENOTDIR ? .missing : .unreadable("\(String(cString: strerror(code))).")
        }
        guard status.st_mode & S_IFMT == S_IFREG else { return .unreadable("This is not a regular file.") }
        guard status.st_size <= sizeLimit else {
            return .unreadable("The file is larger than \(sizeLimit) bytes.")
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            return .unreadable("The file cannot be read.")
        }
        return .bytes([UInt8](data))
    }

    /// Takes over what the text says, and returns everything that is wrong with it.
    static func apply(
        _ bytes: [UInt8], path: String, home: String?, chosenPolicy: Policy? = nil,
        to configuration: inout DaemonConfiguration
    ) -> [ManifestProblem] {
        let problems = ProblemList(file: path)
        do throws(JSONSyntaxError) {
            let root = ManifestValue(try CommentedJSON.parse(bytes).root)
            guard case .dictionary(let members) = root else {
                problems.error(
                    .syntax, nil, "The file holds \(root.typeName) instead of a dictionary.",
                    fix: "Write its keys and values between { and }.")
                return problems.problems
            }
            ConfigurationReader(members, home: home, chosenPolicy: chosenPolicy, problems: problems)
                .apply(to: &configuration)
        } catch {
            problems.error(.syntax, nil, line: error.line, error.message, fix: "Correct the file there.")
        }
        return problems.problems
    }
}
