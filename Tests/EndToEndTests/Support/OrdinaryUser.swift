import Foundation
import Glibc

/// A program that is started by an ordinary user, also where root runs the tests.
///
/// In a user namespace root looks like user 1000 to the program, and is bound by the permissions of files.
enum OrdinaryUser {
    private static let unshare = URL(fileURLWithPath: "/usr/bin/unshare")
    private static let words = ["--user", "--map-user=1000", "--map-group=1000"]

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
        _ program: URL, _ arguments: [String], environment: [String: String] = [:], keepingOutputIn folder: URL
    ) throws -> Command {
        if geteuid() != 0 || !isAvailable {
            return try Command(program, arguments, environment: environment, keepingOutputIn: folder)
        }
        return try Command(
            unshare, words + [program.path] + arguments, environment: environment, keepingOutputIn: folder)
    }
}
