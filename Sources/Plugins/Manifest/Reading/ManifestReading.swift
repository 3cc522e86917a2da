import Platform

/// What reading a manifest gave: the manifest if nothing is wrong with it, and everything that is to say about it.
package struct ManifestReading: Sendable {
    /// What a manifest is read for.
    package enum Purpose: Hashable, Sendable {
        /// A bundle that the runner hosts: something in it must run its tasks.
        case hosting
        /// A program that embeds the runner: its handlers are closures.
        case embedding
    }

    /// `nil` when a problem is an error.
    package var manifest: Manifest?
    package var problems: [ManifestProblem]
    /// The manifest's file, and the settings file beside it if there is one.
    package var files: [String] = []
    /// Changes when the files or the values that they were expanded with change.
    package var contents = StableHash()

    /// Reads an `Info.plist` or `Info.json`, or the one in a folder.
    ///
    /// - Parameters:
    ///   - definitions: values for `$(NAME)`, which beat those of `Info.settings.json`.
    ///   - searchPath: where commands without a slash are found, like `PATH`; `nil` for the system's folders.
    package static func read(
        path: String, purpose: Purpose, definitions: [String: String] = [:], searchPath: String? = nil
    ) -> ManifestReading {
        do {
            let file = try ManifestFile.locate(path).get()
            let bytes = try ManifestFile.read(file)
            var members = try ManifestFile.parse(bytes, path: file)
            let problems = ProblemList(file: file)
            var reading = ManifestReading(problems: [], files: [file])
            reading.contents.combine(bytes)

            let folder = FilePath.folder(file)
            let settings = FilePath.join(folder, ManifestFile.settingsName)
            var values: [String: String] = [:]
            if FileStatus(ofLinkOrFile: settings) != nil {
                let bytes = try ManifestFile.read(settings)
                let settingsProblems = ProblemList(file: settings)
                values = ManifestFile.parseSettings(bytes, path: settings, settingsProblems)
                problems.append(settingsProblems.problems)
                reading.files.append(settings)
            }
            values.merge(definitions) { _, definition in definition }
            for (name, value) in values.sorted(by: { $0.key < $1.key }) {
                reading.contents.combine(name)
                reading.contents.combine(value)
            }

            let expansion = NameExpansion(values)
            for (key, value) in members where ManifestKey.read.contains(key) {
                members[key] = expansion.expand(value, key: key, problems)
            }
            // What a name would have stood for decides everything else.
            if problems.problems.contains(where: { $0.name == .undefinedName }) {
                reading.problems = problems.problems
                return reading
            }
            let reader = ManifestReader(
                purpose: purpose, folder: FilePath.resolved(folder), searchPath: searchPath, problems: problems)
            let manifest = reader.read(members)
            reading.manifest = problems.hasErrors ? nil : manifest
            reading.problems = problems.problems
            return reading
        } catch {
            return ManifestReading(problems: [error])
        }
    }
}
