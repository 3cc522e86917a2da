import FoundationEssentials
import Glibc
import Testing

@testable import Plugins

/// A folder with a bundle in it, removed with this object.
final class TemporaryBundle {
    /// The plugin folder.
    let plugins: String
    let name: String

    var folder: String { "\(plugins)/\(name)" }

    /// Makes a bundle with the files that the tests' manifests name.
    init(_ name: String = "mail.plugin", in plugins: String? = nil) throws {
        self.name = name
        if let plugins {
            self.plugins = plugins
        } else {
            var template = Array("\(FileManager.default.temporaryDirectory.path)/bundle.XXXXXX".utf8CString)
            try #require(mkdtemp(&template) != nil)
            let made = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            self.plugins = FilePath.resolved(made)
        }
        for subfolder in ["bin", "data"] {
            try FileManager.default.createDirectory(
                atPath: "\(folder)/\(subfolder)", withIntermediateDirectories: true)
        }
        try write("bin/refresh", "#!/bin/sh\n", mode: 0o755)
        try write("libMail.so", "library", mode: 0o644)
        try write("notes.txt", "text", mode: 0o644)
        for path in [self.plugins, folder, "\(folder)/bin", "\(folder)/data"] { chmod(path, 0o755) }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: plugins)
    }

    func write(_ path: String, _ text: String, mode: mode_t = 0o644) throws {
        try write(path, Array(text.utf8), mode: mode)
    }

    func write(_ path: String, _ bytes: [UInt8], mode: mode_t = 0o644) throws {
        let file = "\(folder)/\(path)"
        try Data(bytes).write(to: URL(filePath: file))
        try #require(chmod(file, mode) == 0)
    }

    func read(
        _ purpose: ManifestReading.Purpose = .hosting, definitions: [String: String] = [:]
    ) -> ManifestReading {
        ManifestReading.read(path: folder, purpose: purpose, definitions: definitions)
    }
}

/// The members of a good manifest as JSON, with some exchanged, added or (by an empty text) removed.
func manifestText(_ changes: [String: String] = [:]) -> String {
    var members = [
        "CFBundleIdentifier": #""com.example.mail""#,
        "BGTaskSchedulerPermittedIdentifiers": #"["com.example.mail.refresh"]"#,
        "UIBackgroundModes": #"["fetch"]"#,
        "RunnerTasks": #"{"com.example.mail.refresh": {"command": ["bin/refresh"]}}"#,
    ]
    members.merge(changes) { _, change in change }
    let lines = members.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }.map { #"  "\#($0.key)": \#($0.value)"# }
    return "{\n\(lines.joined(separator: ",\n"))\n}\n"
}
