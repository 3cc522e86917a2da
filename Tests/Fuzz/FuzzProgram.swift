import CCoverage
import FoundationEssentials
import Glibc
import Platform
import RPC

/// Sends the control service what nobody would send it, and checks what comes back.
///
/// What breaks a rule is kept as a file, and so is what was sent when it crashed. In a program that was built to count
/// branches, conversations that take new ones are kept too, and others are made out of them; without, the input depends
/// on the seed alone.
struct FuzzProgram {
    private static let usage = """
        runner-fuzz SEEDS KEEP SECONDS [SEED [blind]]    fuzzes for so long with the seeds of a folder; KEEP is a folder
        runner-fuzz --replay FILE…                       sends what was kept

        Blindly means that nothing is learned from the branches that were taken.

        """

    /// A daemon that was told to shut down stays so; the next one has forgotten all.
    private static let conversationsPerDaemon = 500
    /// What the process may grow by after its first daemons: anything that leaks passes this soon.
    private static let growthLimit = 64 << 20

    private let limits: ConnectionLimits
    private let folder: String

    static func run(_ arguments: [String]) {
        do {
            let folder = "/tmp/runner-fuzz-\(getpid())"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let program = FuzzProgram(folder: folder)
            switch (arguments.first, arguments.count) {
            case ("--replay", 2...): try program.replay(Array(arguments.dropFirst()))
            case (let seeds?, 3...5):
                guard let seconds = Double(arguments[2]), let seed = UInt64(arguments.count > 3 ? arguments[3] : "1"),
                    arguments.count < 5 || arguments[4] == "blind"
                else { end(2, usage) }
                try program.fuzz(
                    seeds: seeds, keep: arguments[1], seconds: seconds, seed: seed, learns: arguments.count < 5)
            default: end(2, usage)
            }
        } catch {
            end(1, "runner-fuzz: \(error)\n")
        }
    }

    private init(folder: String) {
        self.folder = folder
        // Small enough to be passed all the time.
        var limits = ConnectionLimits()
        limits.lineBytes = 4_096
        self.limits = limits
    }

    private func fuzz(seeds folder: String, keep: String, seconds: Double, seed: UInt64, learns: Bool) throws {
        let seeds = try Self.seeds(in: folder)
        var mutator = Mutator(seeds: seeds, seed: seed)
        try FileManager.default.createDirectory(atPath: keep, withIntermediateDirectories: true)
        let current = try CurrentInput(keep + "/current")
        var corpus = try Corpus(folder: keep + "/corpus")
        // What others are made out of: each seed, and what earlier runs have kept.
        var first = learns && Corpus.canLearn ? try corpus.earlier() + seeds.map { $0 + [UInt8(ascii: "\n")] } : []
        // Only what the service does counts.
        coverage_ignore_thread()
        let end = SystemClock.milliseconds(.awake) + Int64(seconds * 1_000)
        var (executions, bytes, baseline) = (0, 0, 0)
        while SystemClock.milliseconds(.awake) < end {
            let daemon = try FuzzedDaemon(path: self.folder + "/control.sock", limits: limits)
            coverage_reset()
            for _ in 0..<Self.conversationsPerDaemon where SystemClock.milliseconds(.awake) < end {
                let stream = first.popLast() ?? mutator.conversation(from: learns ? corpus.conversations : [])
                let conversation = FuzzedConversation(stream: stream, cuts: mutator.cuts(of: stream.count))
                current.write(stream)
                if let problem = try conversation.problem(at: daemon.path, limits: limits) {
                    let file = "\(keep)/seed-\(seed)-\(executions)"
                    try Data(stream).write(to: URL(fileURLWithPath: file))
                    Self.end(1, "runner-fuzz: \(problem)\nIt was sent what is in \(file).\n")
                }
                if learns { try corpus.learn(stream) } else { _ = coverage_take() }
                executions += 1
                bytes += stream.count
            }
            daemon.stop()
            if baseline == 0, executions >= 4 * Self.conversationsPerDaemon { baseline = Self.residentBytes }
            let growth = Self.residentBytes - baseline
            if baseline > 0, growth > Self.growthLimit { Self.end(1, "runner-fuzz: memory grew by \(growth) bytes\n") }
        }
        current.remove()
        let reached = Corpus.canLearn ? ", \(Corpus.reached), \(corpus.conversations.count) kept" : ""
        let work = "\(executions) executions, \(bytes) bytes"
        print("fuzz: \(work), seed \(seed), \(seeds.count) seeds\(reached), nothing found")
    }

    private func replay(_ files: [String]) throws {
        let daemon = try FuzzedDaemon(path: folder + "/control.sock", limits: limits)
        for file in files {
            let stream = [UInt8](FileManager.default.contents(atPath: file) ?? Data())
            let problem = try FuzzedConversation(stream: stream, cuts: []).problem(at: daemon.path, limits: limits)
            print("\(file): \(problem ?? "nothing wrong")")
        }
        daemon.stop()
    }

    /// Every line of every file is a seed.
    private static func seeds(in folder: String) throws -> [[UInt8]] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".txt") }
        let seeds = names.sorted().flatMap { name in
            [UInt8](FileManager.default.contents(atPath: folder + "/" + name) ?? Data())
                .split(separator: UInt8(ascii: "\n")).map { Array($0) }
        }
        if seeds.isEmpty { end(1, "runner-fuzz: there are no seeds in \(folder)\n") }
        return seeds
    }

    private static var residentBytes: Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * Int(getpagesize())
    }

    private static func end(_ status: Int32, _ message: String) -> Never {
        _ = Array(message.utf8).withUnsafeBytes { BlockingIO.writeAll(STDERR_FILENO, $0) }
        exit(status)
    }
}

/// A file that holds what is sent now, for the case that nobody is left to tell.
private struct CurrentInput {
    private let path: String
    private let descriptor: OwnedDescriptor

    init(_ path: String) throws(SystemError) {
        self.path = path
        descriptor = OwnedDescriptor(
            try SystemError.check(open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600), "open", path: path))
    }

    func write(_ bytes: [UInt8]) {
        ftruncate(descriptor.raw, 0)
        _ = bytes.withUnsafeBytes { pwrite(descriptor.raw, $0.baseAddress, $0.count, 0) }
    }

    func remove() {
        unlink(path)
    }
}
