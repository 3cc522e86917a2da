import FoundationEssentials

/// What a file is and who may change it.
struct FileStatus: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case regular
        case folder
        case link
        case other
    }

    var kind: Kind
    /// The permission bits, with the sticky bit.
    var mode: UInt32
    var owner: UInt32
    var group: UInt32
    var size: UInt64
    /// When it was changed, as the file system tells it; only compared.
    var modified: Double

    /// Looks at the path itself, without following a link; `nil` when it cannot be looked at.
    init?(ofLinkOrFile path: String) {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            let type = attributes[.type] as? FileAttributeType,
            let mode = attributes[.posixPermissions] as? UInt,
            let owner = attributes[.ownerAccountID] as? UInt,
            let group = attributes[.groupOwnerAccountID] as? UInt,
            let size = attributes[.size] as? UInt
        else { return nil }
        switch type {
        case .typeRegular: kind = .regular
        case .typeDirectory: kind = .folder
        case .typeSymbolicLink: kind = .link
        default: kind = .other
        }
        self.mode = UInt32(truncatingIfNeeded: mode) & 0o7777
        self.owner = UInt32(truncatingIfNeeded: owner)
        self.group = UInt32(truncatingIfNeeded: group)
        self.size = UInt64(size)
        modified = (attributes[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate ?? 0
    }

    /// Looks at what the path leads to.
    init?(of path: String) {
        self.init(ofLinkOrFile: FilePath.resolved(path))
    }

    var isExecutable: Bool { kind == .regular && mode & 0o111 != 0 }
}
