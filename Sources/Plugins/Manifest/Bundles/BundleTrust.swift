import Platform

/// Finds the files of a bundle that another user could have written.
struct BundleTrust {
    /// The bundle's folder without links.
    let folder: String
    /// The user that the runner runs as.
    let daemonUser: UInt32
    /// With trust, what is found is a warning.
    let severity: ManifestProblem.Severity

    private(set) var problems: [ManifestProblem] = []
    private var examined: Set<String> = []

    init(folder: String, daemonUser: UInt32, trust: Bool) {
        self.folder = folder
        self.daemonUser = daemonUser
        severity = trust ? .warning : .error
    }

    /// Examines the folder that bundles lie in: who may write there may exchange the bundle.
    mutating func examinePluginFolder(_ path: String) {
        guard let status = FileStatus(of: path) else { return }
        // In a folder with the sticky bit nobody can exchange what belongs to others.
        if status.mode & 0o1000 != 0, status.owner == 0 || status.owner == daemonUser { return }
        examine(path, status)
    }

    /// Examines a file or folder of the bundle with the folders between.
    mutating func examine(_ path: String) {
        let real = FilePath.resolved(path)
        guard let relative = FilePath.relative(real, below: folder) else {
            problems.append(
                ManifestProblem(
                    severity, .leavesBundle, file: path, message: "This is a link out of the bundle, to \(real).",
                    fix: "Put the file itself into the bundle\(hint)."))
            return
        }
        var current = folder
        examineOnce(current)
        for component in relative.split(separator: "/") {
            current = FilePath.join(current, String(component))
            examineOnce(current)
        }
    }

    /// Examines a link of the bundle to a file outside of it, which a command only reads.
    mutating func examineLink(_ path: String) {
        examine(FilePath.folder(path))
        examineForeign(path, "file")
    }

    /// Examines a file outside of the bundle, which may belong to anyone, but not be open to everyone.
    mutating func examineForeign(_ path: String, _ what: String) {
        guard let status = FileStatus(of: path), status.mode & 0o002 != 0 else { return }
        guard examined.insert(path).inserted else { return }
        problems.append(
            untrusted(path, "Everyone may write to this \(what).", fix: "Run chmod o-w \(path)\(hint)."))
    }

    // MARK: Private

    private mutating func examineOnce(_ path: String) {
        guard examined.insert(path).inserted, let status = FileStatus(ofLinkOrFile: path) else { return }
        examine(path, status)
    }

    private mutating func examine(_ path: String, _ status: FileStatus) {
        if status.owner != 0, status.owner != daemonUser {
            let owner = UserDatabase.name(ofUser: status.owner) ?? String(status.owner)
            problems.append(
                untrusted(
                    path, "This belongs to \(owner), who is neither root nor the runner's user.",
                    fix: "Run chown \(UserDatabase.name(ofUser: daemonUser) ?? String(daemonUser)) \(path)\(hint)."))
        }
        // A link has no permissions of its own; what one leads to that is not there is told when it is read.
        guard status.kind != .link else { return }
        if status.mode & 0o002 != 0 {
            problems.append(untrusted(path, "Everyone may write here.", fix: "Run chmod o-w \(path)\(hint)."))
        }
        if status.mode & 0o020 != 0, status.group != UserDatabase.user(uid: status.owner)?.gid {
            let group = UserDatabase.name(ofGroup: status.group) ?? String(status.group)
            problems.append(
                untrusted(path, "The group \(group) may write here.", fix: "Run chmod g-w \(path)\(hint)."))
        }
    }

    private func untrusted(_ path: String, _ message: String, fix: String) -> ManifestProblem {
        ManifestProblem(severity, .untrusted, file: path, message: message, fix: fix)
    }

    private var hint: String {
        switch severity {
        case .error: ", or start the runner with --trust-bundles"
        case .warning: ""
        }
    }
}
