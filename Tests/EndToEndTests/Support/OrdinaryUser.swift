import Foundation
import Glibc

/// A program that is started by an ordinary user, also where root runs the tests.
///
/// In a user namespace root looks like user 1000, or another, to the program, and is bound by the permissions of files.
enum OrdinaryUser {
    private static let unshare = URL(fileURLWithPath: "/usr/bin/unshare")
    private static let words = words(of: 1_000)

    private static func words(of uid: uid_t) -> [String] {
        ["--user", "--map-user=\(uid)", "--map-group=\(uid)"]
    }

    /// Whether we are one, or the kernel lets us make one.
    static let isAvailable: Bool = {
        if geteuid() != 0 { return true }
        let probe = Process()
        probe.executableURL = unshare
        probe.arguments = words + ["true"]
        probe.standardError = FileHandle.nullDevice
        guard (try? probe.run()) != nil else { return false }
        probe.waitUntilExit()
        return probe.terminationStatus == 0
    }()

    static func command(
        _ program: URL, _ arguments: [String], as uid: uid_t = 1_000, environment: [String: String] = [:],
        keepingOutputIn folder: URL
    ) throws -> Command {
        if geteuid() != 0 || !isAvailable {
            return try Command(program, arguments, environment: environment, keepingOutputIn: folder)
        }
        return try Command(
            unshare, words(of: uid) + [program.path] + arguments, environment: environment, keepingOutputIn: folder)
    }
}
