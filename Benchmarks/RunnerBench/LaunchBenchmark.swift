import Glibc
import Platform
import Runner

/// A client on the control socket simulates launches, one after the other; the handler notes when it was entered.
struct LaunchBenchmark {
    let folder: String
    let idleMilliseconds: Int
    let count: Int

    func run() throws -> Figures {
        let task = BenchProgram.app + ".task"
        let manifest = try Manifest(
            identifier: BenchProgram.app, permittedIdentifiers: [task], backgroundModes: ["fetch"])
        var options = TaskRunnerOptions()
        options.stateFolder = folder + "/launch"
        options.socket = .path(folder + "/launch.sock")
        let runner = TaskRunner(manifest: manifest, options: options)
        let entered = Locked<Int64>(0)
        try runner.register(task) { (_: TaskContext) in entered.withLock { $0 = SystemClock.nanoseconds(.awake) } }
        try runner.start()

        let client = try UnixSocket.connect(path: folder + "/launch.sock")
        let request =
            #"{"jsonrpc":"2.0","id":1,"method":"simulateLaunch","params":{"identifier":"\#(task)","submit":true,"wait":true}}"#
            + "\n"
        var samples = Samples()
        let warm = count / 10 + 1
        for round in 0..<(count + warm) {
            usleep(UInt32(idleMilliseconds * 1_000))
            let begun = SystemClock.nanoseconds(.awake)
            try exchange(request, with: client)
            if round >= warm { samples.add(entered.withLock { $0 } - begun) }
        }
        try BenchRunner.end(runner)
        var figures = Figures()
        figures.add("p50", samples.percentile(50))
        figures.add("p99", samples.percentile(99))
        return figures
    }

    /// Sends a line and reads one; throws when it is an error.
    private func exchange(_ line: String, with client: borrowing OwnedDescriptor) throws {
        _ = Array(line.utf8).withUnsafeBytes { BlockingIO.writeAll(client.raw, $0) }
        var reply: [UInt8] = []
        while reply.last != UInt8(ascii: "\n") {
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let outcome = buffer.withUnsafeMutableBytes { NonblockingIO.read(client.raw, into: $0) }
            guard case .data(let count) = outcome else { throw BenchFailure("the control socket was closed") }
            reply += buffer[..<count]
        }
        let text = String(decoding: reply, as: UTF8.self)
        guard text.contains(#""state":"succeeded""#) else { throw BenchFailure(text) }
    }
}
