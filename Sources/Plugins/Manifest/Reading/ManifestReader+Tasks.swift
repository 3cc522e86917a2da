import Scheduling

extension ManifestReader {
    /// `RunnerTasks`, ordered by identifier; what is permitted is `nil` when an error keeps it from being known.
    func readTasks(_ reader: KeyedReader, permitted: [PermittedIdentifier]?, hasProgram: Bool) -> [ManifestTask] {
        let example = "{\"com.example.app.refresh\": {\"command\": [\"bin/refresh\"]}}"
        guard let entries = reader.dictionary(ManifestKey.tasks, example: example) else { return [] }
        let permissions = PermissionSet(permitted ?? [])
        var tasks: [ManifestTask] = []
        for name in entries.names {
            guard let values = entries.dictionary(name, example: "{\"command\": [\"bin/refresh\"]}") else { continue }
            let identifier: TaskIdentifier
            do {
                identifier = try TaskIdentifier(name)
            } catch {
                noteTaskName(name, error, key: entries.key(name))
                continue
            }
            if let permitted { checkPermission(identifier, permitted, permissions, key: entries.key(name)) }
            tasks.append(readTask(identifier, values, hasProgram: hasProgram))
        }
        return tasks.sorted { $0.settings.identifier < $1.settings.identifier }
    }

    private func noteTaskName(_ name: String, _ refusal: Refusal, key: String) {
        guard name.hasSuffix(".*") else { return note(refusal, key: key) }
        problems.error(
            .invalidIdentifier, key, "Settings belong to one task, and \(KeyedReader.quoted(name)) is a pattern.",
            fix: "Write an entry for each identifier.")
    }

    private func checkPermission(
        _ identifier: TaskIdentifier, _ permitted: [PermittedIdentifier], _ permissions: PermissionSet, key: String
    ) {
        guard !permissions.admits(identifier) else { return }
        var fix = "Add \(identifier) to \(ManifestKey.permitted)."
        if let nearest = NearestName.nearest(to: identifier.text, among: permitted.map(\.text)) {
            let words = PermittedIdentifier.words(of: nearest, for: identifier)
            fix = "Did you mean \(words)? Else add \(identifier) to \(ManifestKey.permitted)."
        }
        problems.error(.notPermitted, key, "\(identifier) is not a permitted identifier.", fix: fix)
    }

    private func readTask(_ identifier: TaskIdentifier, _ values: KeyedReader, hasProgram: Bool) -> ManifestTask {
        values.refuseUnknown(besides: TaskKey.all)
        var settings = TaskSettings(identifier: identifier)
        settings.kind = values.word(TaskKey.kind, as: TaskKind.self)
        settings.every = values.duration(TaskKey.every, in: .seconds(60)...DurationText.longest, example: "15m")
        settings.budget = values.duration(TaskKey.budget, in: .seconds(1)...DurationText.longest, example: "30s")
        settings.grace = values.duration(TaskKey.grace, in: .milliseconds(1)...Duration.hours(1), example: "5s")
        settings.retriesFailures = values.boolean(TaskKey.retry) ?? false
        settings.requiresNetworkConnectivity = values.boolean(TaskKey.network) ?? false
        settings.requiresExternalPower = values.boolean(TaskKey.power) ?? false
        settings.hasCommand = values.has(TaskKey.command)
        checkSense(of: settings, values)

        let command = readCommand(identifier, values, settings)
        if !values.has(TaskKey.command) {
            checkUse(ofCommandKeysIn: values)
            if purpose == .hosting, !hasProgram {
                problems.error(
                    .noHandler, values.key(TaskKey.command), "Nothing runs \(identifier).",
                    fix: "Add a command, such as [\"bin/refresh\"], or name the bundle's program in "
                        + "\(ManifestKey.plugin).")
            }
        }
        return ManifestTask(settings: settings, command: command)
    }

    /// Settings that contradict each other.
    private func checkSense(of settings: TaskSettings, _ values: KeyedReader) {
        if settings.kind == .continuedProcessing, values.has(TaskKey.every) {
            problems.error(
                .invalidValue, values.key(TaskKey.every), "Continued processing is begun by a person and cannot recur.",
                fix: "Remove this key, or choose another kind.")
        }
        if settings.kind == .continuedProcessing, values.has(TaskKey.budget) {
            problems.warning(
                .withoutEffect, values.key(TaskKey.budget), "Continued processing has no time budget.",
                fix: "Remove this key.")
        }
        if settings.retriesFailures, !values.has(TaskKey.every) {
            problems.warning(
                .withoutEffect, values.key(TaskKey.retry), "Only a declared recurrence is retried.",
                fix: "Add \(TaskKey.every), or remove this key.")
        }
    }

    private func checkUse(ofCommandKeysIn values: KeyedReader) {
        for name in TaskKey.ofCommands where values.has(name) {
            problems.warning(
                .withoutEffect, values.key(name), "Only a task with a command uses this.",
                fix: "Add a command, or remove this key.")
        }
    }

    // MARK: Commands

    private func readCommand(
        _ identifier: TaskIdentifier, _ values: KeyedReader, _ settings: TaskSettings
    ) -> CommandTask? {
        let environment = readEnvironment(values)
        let user = readUser(values, TaskKey.user)
        var directory = folder
        if let path = values.string(TaskKey.workingDirectory, example: "\"data\"") {
            directory = workingDirectory(path, key: values.key(TaskKey.workingDirectory))
        }
        guard let words = values.strings(TaskKey.command, example: "[\"bin/refresh\", \"--all\"]") else { return nil }
        guard let first = words.first, !first.isEmpty else {
            return values.invalid(
                TaskKey.command, "The command names no program.", fix: "Write [\"bin/refresh\"] for example.")
        }
        let path = environment["PATH"] ?? searchPath
        guard let executable = program(first, key: values.key(TaskKey.command) + "[0]", searchPath: path) else {
            return nil
        }
        guard let directory else { return nil }
        return CommandTask(
            identifier: identifier, executable: executable, command: words, environment: environment,
            workingDirectory: directory, user: user, settings: settings)
    }

    private func readEnvironment(_ values: KeyedReader) -> [String: String] {
        let environment = values.stringDictionary(TaskKey.environment, example: "{\"NAME\": \"value\"}") ?? [:]
        for name in environment.keys.sorted() {
            let key = "\(values.key(TaskKey.environment)).\(name)"
            if name.isEmpty || name.utf8.contains(where: { $0 == UInt8(ascii: "=") || $0 == 0 }) {
                problems.error(
                    .invalidValue, key, "\(KeyedReader.quoted(name)) cannot name a variable.",
                    fix: "Use a name without = that is not empty.")
            } else if name.hasPrefix("RUNNER_") {
                problems.error(
                    .invalidValue, key, "Names that begin with RUNNER_ are set by the runner.",
                    fix: "Choose another name.")
            }
        }
        return environment
    }

    /// The name of the user that a command or a plugin runs as.
    func readUser(_ values: KeyedReader, _ name: String) -> String? {
        guard let user = values.string(name, example: "\"backup\"") else { return nil }
        guard !user.isEmpty, !user.contains(where: { $0 == ":" || $0 == "/" || $0.isWhitespace }) else {
            return values.invalid(
                name, "\(KeyedReader.quoted(user)) is not a user name.",
                fix: "Write the name of a user, such as \"backup\".")
        }
        return user
    }
}
