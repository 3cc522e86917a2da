import Foundation
import Glibc

/// A program that was started, with its output in files, so that nothing it leaves behind keeps us waiting.
final class Command: Sendable {
    /// What is left of a program that has ended.
    struct Outcome: Sendable {
        /// The exit status, or the negative number of the signal.
        var status: Int32
        var output: String
        var errors: String

        /// The output as JSON; null when it is none.
        var json: JSONNode { JSONNode(output) }
    }

    let process: Process
    private let output: URL
    private let errors: URL
    private let end: AsyncStream<Void>

    /// - Parameter folder: where its output is kept.
    init(
        _ program: URL, _ arguments: [String], environment: [String: String] = [:], keepingOutputIn folder: URL
    ) throws {
        let name = UUID().uuidString
        output = folder.appendingPathComponent("\(name).stdout")
        errors = folder.appendingPathComponent("\(name).stderr")
        process = Process()
        process.executableURL = program
        process.arguments = arguments
        var variables = ProcessInfo.processInfo.environment
        // Nothing of the service manager or of a daemon that is already there.
        for name in ["NOTIFY_SOCKET", "LISTEN_FDS", "LISTEN_PID", "RUNNER_SOCKET"] { variables[name] = nil }
        process.environment = variables.merging(environment) { _, own in own }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try Self.file(output)
        process.standardError = try Self.file(errors)
        let (end, continuation) = AsyncStream.makeStream(of: Void.self)
        self.end = end
        process.terminationHandler = { _ in continuation.finish() }
        try process.run()
    }

    /// What it has written to standard error so far.
    var errorsSoFar: String {
        (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
    }

    /// The whole lines that it has written to standard output so far.
    var outputLinesSoFar: [Substring] {
        let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    }

    func signal(_ number: Int32) {
        // The library has not reaped it while it says so, so the number is still its own.
        if process.isRunning { kill(process.processIdentifier, number) }
    }

    func wait() async -> Outcome {
        for await _ in end {}
        let status = process.terminationStatus
        return Outcome(
            status: process.terminationReason == .uncaughtSignal ? -status : status,
            output: (try? String(contentsOf: output, encoding: .utf8)) ?? "", errors: errorsSoFar)
    }

    private static func file(_ url: URL) throws -> FileHandle {
        try Data().write(to: url)
        return try FileHandle(forWritingTo: url)
    }
}
