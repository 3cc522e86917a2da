import Platform

extension ManifestReader {
    /// The absolute path of a file that must be in the bundle.
    func bundleFile(_ path: String, key: String, isProgram: Bool) -> String? {
        guard !FilePath.isAbsolute(path) else {
            problems.error(
                .leavesBundle, key, "\(KeyedReader.quoted(path)) is not in the bundle.",
                fix: "Put the file into the bundle and write its path from there, such as \"bin/plugin\".")
            return nil
        }
        guard let absolute = inBundle(path, key: key) else { return nil }
        return checked(absolute, key: key, isProgram: isProgram)
    }

    /// The absolute path of a command's program: in the bundle when its name has a slash, else found in the search
    /// path, or absolute as it is.
    func program(_ name: String, key: String, searchPath: String?) -> String? {
        if FilePath.isAbsolute(name) { return checked(name, key: key, isProgram: true) }
        if name.contains("/") {
            guard let absolute = inBundle(name, key: key) else { return nil }
            return checked(absolute, key: key, isProgram: true)
        }
        if let found = ExecutableLookup.find(name, path: searchPath) { return found }
        let isInBundle = folder.map { FileStatus(of: FilePath.join($0, name)) != nil } ?? false
        problems.error(
            .missingFile, key, "There is no program \(KeyedReader.quoted(name)) in the search path.",
            fix: isInBundle
                ? "Write \"./\(name)\" to run the one in the bundle."
                : "Install it, or write its path: \"bin/\(name)\" in the bundle, or an absolute one.")
        return nil
    }

    /// The absolute path of a folder, relative to the bundle or absolute as it is.
    func workingDirectory(_ path: String, key: String) -> String? {
        guard let absolute = FilePath.isAbsolute(path) ? path : inBundle(path, key: key) else { return nil }
        switch FileStatus(of: absolute)?.kind {
        case .folder: return absolute
        case .regular, .link, .other:
            problems.error(
                .invalidValue, key, "\(absolute) is not a folder.", fix: "Name a folder, or remove this key.")
            return nil
        case nil:
            // One outside may be made before the task runs.
            guard FilePath.isAbsolute(path) else {
                problems.error(
                    .missingFile, key, "There is no folder \(KeyedReader.quoted(path)) in the bundle.",
                    fix: "Make it, or remove this key to start in the bundle's own folder.")
                return nil
            }
            problems.warning(
                .missingFile, key, "There is no folder \(path) yet.", fix: "Make it before the task runs.")
            return absolute
        }
    }

    // MARK: Private

    /// The absolute path of something in the bundle; a link may still lead out of it, which the loader checks.
    private func inBundle(_ path: String, key: String) -> String? {
        guard let normalized = FilePath.normalized(relative: path) else {
            problems.error(
                .leavesBundle, key, "\(KeyedReader.quoted(path)) leads out of the bundle.",
                fix: "Write a path below the bundle's folder, without leading ../.")
            return nil
        }
        guard let folder else {
            problems.error(
                .leavesBundle, key, "This manifest has no bundle that \(KeyedReader.quoted(path)) could be in.",
                fix: "Write an absolute path.")
            return nil
        }
        return normalized.isEmpty ? folder : FilePath.join(folder, normalized)
    }

    private func checked(_ path: String, key: String, isProgram: Bool) -> String? {
        guard let status = FileStatus(of: path) else {
            problems.error(.missingFile, key, "There is no file \(path).", fix: "Put it there, or correct the path.")
            return nil
        }
        guard status.kind == .regular else {
            problems.error(.notExecutable, key, "\(path) is not a regular file.", fix: "Name a file that can be run.")
            return nil
        }
        guard !isProgram || status.isExecutable else {
            problems.error(.notExecutable, key, "\(path) is not executable.", fix: "Run chmod +x \(path).")
            return nil
        }
        if isProgram, let problem = ProgramFile.problem(of: path) {
            note(problem, path, key: key)
            return nil
        }
        return path
    }

    private func note(_ problem: ProgramFile.Problem, _ path: String, key: String) {
        switch problem {
        case .isEmpty:
            problems.error(.notExecutable, key, "\(path) is empty.", fix: "Copy or build it again.")
        case .noInterpreter(let interpreter):
            problems.error(
                .notExecutable, key,
                "\(path) names the interpreter \(KeyedReader.quoted(interpreter)), which is not there.",
                fix: "Install it, or correct the first line.")
        case .carriageReturn:
            problems.error(
                .notExecutable, key, "The first line of \(path) ends with CR and LF.",
                fix: "Write its lines with LF alone, as dos2unix does.")
        }
    }
}
