package import Scheduling

/// Something that is wrong with a manifest or its bundle: where it is, what it is, and how to fix it.
public struct ManifestProblem: Hashable, Sendable {
    /// How bad it is.
    public enum Severity: String, Sendable {
        /// The bundle cannot be used.
        case error
        /// The bundle is used, and something in it will not work as written.
        case warning
    }

    /// The stable name of a problem; programs match on it.
    public enum Name: String, Sendable, CaseIterable {
        /// The file or folder is missing or cannot be read.
        case unreadable
        /// The text is not a property list, or not JSON.
        case syntax
        /// There is an `Info.plist` and an `Info.json`.
        case bothFiles
        /// A key that must be there is not.
        case missingKey
        /// A value has another type than its key needs.
        case wrongType
        /// A value has the right type and cannot be used.
        case invalidValue
        /// An identifier breaks B1, or a pattern B2.
        case invalidIdentifier
        /// A task is not among the permitted identifiers.
        case notPermitted
        /// Nothing reads this key.
        case unknownKey
        /// A `$(NAME)` has no value.
        case undefinedName
        /// A path leads out of the bundle.
        case leavesBundle
        /// A file that the manifest names is not there.
        case missingFile
        /// A file that should be run cannot be.
        case notExecutable
        /// A file is no library that the plugin host can load.
        case notLoadable
        /// Nothing in the bundle runs the task.
        case noHandler
        /// The background modes and the tasks do not match.
        case modeMismatch
        /// A value that does nothing.
        case withoutEffect
        /// Another user could have written the file.
        case untrusted
        /// Another bundle owns the identifier (B3).
        case alreadyOwned
        /// A plugin folder is not there.
        case missingFolder
        /// The task's user does not exist, or the runner may not become that user.
        case userUnavailable
    }

    /// How bad it is.
    public var severity: Severity
    /// What kind of problem it is.
    public var name: Name
    /// The path of the file or folder.
    public var file: String
    /// The key path in the file, such as `RunnerTasks.com.example.refresh.every`.
    public var key: String?
    /// The line, counted from 1, where it is known.
    public var line: Int?
    /// What is wrong, in one plain sentence.
    public var message: String
    /// What to do about it, in one plain sentence.
    public var fix: String

    package init(
        _ severity: Severity, _ name: Name, file: String, key: String? = nil, line: Int? = nil, message: String,
        fix: String
    ) {
        self.severity = severity
        self.name = name
        self.file = file
        self.key = key
        self.line = line
        self.message = message
        self.fix = fix
    }
}

extension ManifestProblem {
    /// The task that the key stands for, when it stands for one as a whole.
    package var taskIdentifier: TaskIdentifier? {
        let group = ManifestKey.tasks + "."
        guard let key, key.hasPrefix(group) else { return nil }
        return try? TaskIdentifier(String(key.dropFirst(group.count)))
    }
}

extension ManifestProblem: CustomStringConvertible {
    /// One line: the file, the line or the key, the message and the fix.
    public var description: String {
        let place = line.map { "\(file):\($0)" } ?? file
        let subject = key.map { "\($0): " } ?? ""
        return "\(place): \(severity.rawValue): \(subject)\(message) \(fix)"
    }
}
