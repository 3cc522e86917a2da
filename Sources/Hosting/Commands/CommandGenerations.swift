import Plugins
import Scheduling

/// The commands of one bundle, as it is and as it was when runs began that have not ended.
///
/// A manifest that was loaded while its app has runs waits for their end, and until then launches go by the old one (B42).
struct CommandGenerations {
    /// A command with the limits of its bundle.
    struct Command {
        var task: CommandTask
        var limits: ManifestLimits
    }

    /// Reloads without a launch in between leave no more than this behind.
    private static let kept = 8

    /// The newest last.
    private var generations: [(hash: String, commands: [TaskIdentifier: Command])] = []

    mutating func add(_ tasks: [CommandTask], limits: ManifestLimits, hash: String) {
        if generations.last?.hash == hash { generations.removeLast() }
        let commands = Dictionary(
            tasks.map { ($0.identifier, Command(task: $0, limits: limits)) }, uniquingKeysWith: { first, _ in first })
        generations.append((hash, commands))
        // The oldest is the one that may be in use.
        if generations.count > Self.kept { generations.remove(at: 1) }
    }

    /// The command by the manifest of this hash; what is older will not be asked for again.
    mutating func command(of identifier: TaskIdentifier, hash: String) -> Command? {
        guard let index = generations.lastIndex(where: { $0.hash == hash }) else { return nil }
        generations.removeFirst(index)
        return generations.first?.commands[identifier]
    }
}
