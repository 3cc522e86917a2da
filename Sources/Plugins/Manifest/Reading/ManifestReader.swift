import Scheduling

/// Makes a manifest of the members of its file, and notes everything that is wrong with them.
struct ManifestReader {
    let purpose: ManifestReading.Purpose
    /// The bundle's folder without links; `nil` for a manifest that a program makes.
    let folder: String?
    let searchPath: String?
    let problems: ProblemList

    /// `nil` when a part is missing without which there is no manifest; other errors are only noted.
    func read(_ members: [String: ManifestValue]) -> Manifest? {
        let reader = KeyedReader(members, problems: problems)
        reader.refuseUnknown(besides: ManifestKey.own, beginning: ManifestKey.ownPrefix)

        let app = readApp(reader)
        let modes = readModes(reader)
        let permitted = readPermitted(reader, app: app)
        let plugin = reader.dictionary(ManifestKey.plugin, example: Self.programExample)
        let program = plugin.flatMap(readProgram)
        let programUser = plugin.flatMap { readUser($0, PluginKey.user) }
        let limits = readLimits(reader)
        let isolation = reader.word(ManifestKey.isolation, as: ManifestIsolation.self)
        let declaresProgram = reader.has(ManifestKey.plugin)
        let tasks = readTasks(reader, permitted: app == nil ? nil : permitted, hasProgram: declaresProgram)

        guard let app, let permitted else { return nil }
        var manifest = Manifest(app: app, permitted: permitted, modes: modes)
        manifest.tasks = tasks
        manifest.program = program
        manifest.programUser = programUser
        manifest.limits = limits
        manifest.isolation = isolation ?? .process
        ManifestConsistency(manifest: manifest, purpose: purpose, problems: problems)
            .check(declaresProgram: declaresProgram)
        return manifest
    }

    // MARK: The keys of iOS

    private func readApp(_ reader: KeyedReader) -> AppIdentifier? {
        let key = ManifestKey.identifier
        guard reader.has(key) else {
            reader.missing(key, fix: "Name the app, such as \"com.example.app\".")
            return nil
        }
        guard let text = reader.string(key, example: "\"com.example.app\"") else { return nil }
        do {
            return try AppIdentifier(text)
        } catch {
            note(error, key: key)
            return nil
        }
    }

    private func readPermitted(_ reader: KeyedReader, app: AppIdentifier?) -> [PermittedIdentifier]? {
        let key = ManifestKey.permitted
        let example = "[\"com.example.app.refresh\"]"
        guard reader.has(key) else {
            reader.missing(key, fix: "List the identifiers of the app's tasks, such as \(example).")
            return nil
        }
        guard let texts = reader.strings(key, example: example) else { return nil }
        var permitted: [PermittedIdentifier] = []
        var seen: Set<PermittedIdentifier> = []
        for (index, text) in texts.enumerated() {
            do {
                guard let app else {
                    // Without the app's identifier, whose absence is noted, a pattern cannot be judged.
                    if !text.contains("*") { _ = try TaskIdentifier(text) }
                    continue
                }
                let entry = try PermittedIdentifier(text, app: app)
                if seen.insert(entry).inserted {
                    permitted.append(entry)
                } else {
                    problems.warning(
                        .withoutEffect, "\(key)[\(index)]", "\(text) is there twice.", fix: "Remove one of them.")
                }
            } catch {
                note(error, key: "\(key)[\(index)]")
            }
        }
        return permitted
    }

    private func readModes(_ reader: KeyedReader) -> Set<BackgroundMode> {
        let key = ManifestKey.modes
        var modes: Set<BackgroundMode> = []
        for (index, text) in (reader.strings(key, example: "[\"fetch\"]") ?? []).enumerated() {
            if let mode = BackgroundMode(rawValue: text) {
                modes.insert(mode)
            } else if !Self.foreignModes.contains(text),
                let nearest = NearestName.nearest(to: text, among: BackgroundMode.allCases.map(\.rawValue))
            {
                problems.warning(
                    .modeMismatch, "\(key)[\(index)]", "The mode \(KeyedReader.quoted(text)) is ignored.",
                    fix: "Did you mean \"\(nearest)\"?")
            }
        }
        return modes
    }

    /// The modes of iOS that concern no background task.
    private static let foreignModes: Set<String> = [
        "audio", "location", "voip", "external-accessory", "bluetooth-central", "bluetooth-peripheral",
        "remote-notification", "newsstand-content", "nearby-interaction", "push-to-talk",
    ]

    // MARK: Our own keys

    private static let programExample = "{\"executable\": \"bin/plugin\"}"

    private func readProgram(_ plugin: KeyedReader) -> PluginProgram? {
        plugin.refuseUnknown(besides: PluginKey.all)
        let path = plugin.string(PluginKey.executable, example: "\"bin/plugin\"")
        let library = plugin.string(PluginKey.library, example: "\"libPlugin.so\"")
        let arguments = plugin.strings(PluginKey.arguments, example: "[\"--verbose\"]") ?? []
        switch (plugin.has(PluginKey.executable), plugin.has(PluginKey.library)) {
        case (true, true):
            problems.error(
                .invalidValue, ManifestKey.plugin, "It names an executable and a library.", fix: "Remove one of them.")
        case (false, false):
            problems.error(
                .missingKey, ManifestKey.plugin, "It names neither an executable nor a library.",
                fix: "Write \(Self.programExample).")
        case (true, false):
            guard let path, let file = bundleFile(path, key: plugin.key(PluginKey.executable), isProgram: true) else {
                return nil
            }
            return .executable(path: file, arguments: arguments)
        case (false, true):
            if plugin.has(PluginKey.arguments) {
                problems.error(
                    .invalidValue, plugin.key(PluginKey.arguments), "A library has no arguments.", fix: "Remove them.")
            }
            guard let library, let file = bundleFile(library, key: plugin.key(PluginKey.library), isProgram: false)
            else { return nil }
            return .library(path: file)
        }
        return nil
    }

    private func readLimits(_ reader: KeyedReader) -> ManifestLimits {
        var limits = ManifestLimits()
        guard let values = reader.dictionary(ManifestKey.limits, example: "{\"memory\": \"256M\"}") else {
            return limits
        }
        values.refuseUnknown(besides: LimitKey.all)
        limits.memoryBytes = values.byteCount(LimitKey.memory, in: (1 << 20)...(1 << 50))
        limits.cpuSeconds = values.integer(LimitKey.cpuSeconds, in: 1...1_000_000_000).map { Int($0) }
        // Below this a process cannot even load its libraries beside its standard descriptors.
        limits.openFiles = values.integer(LimitKey.openFiles, in: 8...1_048_576).map { Int($0) }
        limits.processes = values.integer(LimitKey.processes, in: 1...1_048_576).map { Int($0) }
        limits.pendingRefresh = values.integer(LimitKey.pendingRefresh, in: 1...1_000_000).map { Int($0) }
        limits.pendingProcessing = values.integer(LimitKey.pendingProcessing, in: 1...1_000_000).map { Int($0) }
        return limits
    }

    // MARK: Identifiers

    /// Notes a refusal, whose last sentence is the fix.
    func note(_ refusal: Refusal, key: String) {
        let sentences = refusal.message
        var split = sentences.endIndex
        for index in sentences.indices.dropLast(2) {
            let rest = sentences[index...]
            if rest.hasPrefix(". "), rest.dropFirst(2).first?.isUppercase == true { split = index }
        }
        guard split != sentences.endIndex else {
            problems.error(.invalidIdentifier, key, sentences, fix: "Write another identifier.")
            return
        }
        problems.error(
            .invalidIdentifier, key, String(sentences[...split]), fix: String(sentences[split...].dropFirst(2)))
    }
}
