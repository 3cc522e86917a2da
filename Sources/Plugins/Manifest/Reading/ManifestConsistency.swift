import Scheduling

/// Checks what several keys of a manifest say together.
struct ManifestConsistency {
    let manifest: Manifest
    let purpose: ManifestReading.Purpose
    let problems: ProblemList

    func check(declaresProgram: Bool) {
        if manifest.permitted.isEmpty, !problems.hasErrors {
            problems.warning(
                .modeMismatch, ManifestKey.permitted, "No identifier is permitted, so nothing can run.",
                fix: "List the identifiers of the app's tasks.")
        }
        if purpose == .hosting { checkHandlers(declaresProgram: declaresProgram) }
        checkProcessLimit(declaresProgram: declaresProgram)
        checkModes(declaresProgram: declaresProgram)
    }

    // MARK: Handlers

    private func checkHandlers(declaresProgram: Bool) {
        guard !declaresProgram else { return }
        guard !manifest.tasks.isEmpty else {
            if problems.hasErrors { return }
            problems.error(
                .noHandler, ManifestKey.tasks, "Nothing in this bundle runs its tasks.",
                fix: "Give each task a command in \(ManifestKey.tasks), or name the bundle's program in "
                    + "\(ManifestKey.plugin).")
            return
        }
        let identifiers = Set(manifest.tasks.map(\.settings.identifier))
        for entry in manifest.permitted where !isRun(entry, by: identifiers) {
            let subject = if case .prefix = entry { "one of the identifiers that it permits" } else { "it" }
            problems.warning(
                .noHandler, "\(ManifestKey.tasks).\(entry.text)", "\(entry.text) is permitted and nothing runs it.",
                fix: "Give \(subject) a command in \(ManifestKey.tasks), or remove it from \(ManifestKey.permitted).")
        }
    }

    private func isRun(_ entry: PermittedIdentifier, by identifiers: Set<TaskIdentifier>) -> Bool {
        switch entry {
        case .exact(let identifier): identifiers.contains(identifier)
        case .prefix: identifiers.contains(where: entry.admits)
        }
    }

    /// RLIMIT_NPROC counts all processes of a user, so it would hit whatever else that user runs.
    private func checkProcessLimit(declaresProgram: Bool) {
        guard manifest.limits.processes != nil else { return }
        let isProgramConfined = !declaresProgram || manifest.programUser != nil
        let isConfined = isProgramConfined && manifest.commands.allSatisfy { $0.user != nil }
        guard !isConfined else { return }
        problems.error(
            .invalidValue, "\(ManifestKey.limits).\(LimitKey.processes)",
            "This limit counts all processes of a user, and not every task has a user of its own.",
            fix: declaresProgram
                ? "Remove it, or give \(ManifestKey.plugin) and every command a user."
                : "Give every task a user, or remove it.")
    }

    // MARK: Modes

    private func checkModes(declaresProgram: Bool) {
        var isReported = false
        for task in manifest.tasks {
            guard let kind = effectiveKind(task), let mode = kind.requiredMode, !manifest.modes.contains(mode) else {
                continue
            }
            isReported = true
            let name = "\(ManifestKey.tasks).\(task.settings.identifier)"
            let isStated = task.settings.kind != nil
            problems.warning(
                .modeMismatch, isStated ? "\(name).\(TaskKey.kind)" : name,
                "\(task.settings.identifier) is \(kind.rawValue)\(isStated ? "" : ", as no kind is given,")"
                    + " and needs the mode \"\(mode.rawValue)\".",
                fix: "Add \"\(mode.rawValue)\" to \(ManifestKey.modes)\(isStated ? "" : ", or give a kind").")
        }
        let kinds = allKinds(declaresProgram: declaresProgram)
        if let kinds {
            for mode in BackgroundMode.allCases
            where manifest.modes.contains(mode) && !kinds.contains(where: { $0.requiredMode == mode }) {
                problems.warning(
                    .modeMismatch, ManifestKey.modes, "The mode \"\(mode.rawValue)\" is declared and no task needs it.",
                    fix: "Remove it, or give a task a kind that needs it.")
            }
        } else if manifest.modes.isEmpty, !manifest.permitted.isEmpty, !isReported {
            problems.warning(
                .modeMismatch, ManifestKey.modes,
                "Without a mode, app refresh and processing requests are refused.",
                fix: "Add \"fetch\" for app refresh and \"processing\" for processing.")
        }
    }

    /// The kind that a task's requests have, as far as the manifest decides it: a program may register another.
    private func effectiveKind(_ task: ManifestTask) -> TaskKind? {
        if let kind = task.settings.kind { return kind }
        return task.settings.hasCommand || task.settings.every != nil ? .appRefresh : nil
    }

    /// The kinds of all permitted identifiers; `nil` when the manifest does not decide one of them.
    private func allKinds(declaresProgram: Bool) -> [TaskKind]? {
        guard !manifest.permitted.isEmpty else { return nil }
        let kinds = Dictionary(
            manifest.tasks.map { ($0.settings.identifier, effectiveKind($0)) }, uniquingKeysWith: { first, _ in first })
        var all: [TaskKind] = []
        for entry in manifest.permitted {
            guard case .exact(let identifier) = entry, case .some(.some(let kind)) = kinds[identifier] else {
                return nil
            }
            all.append(kind)
        }
        return all
    }
}
