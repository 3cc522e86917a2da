import Platform
import RPC
import Scheduling
import SystemPlatform
import TestSupport

@testable import Hosting

/// A process with a channel, whose requests a test answers.
final class WatchedPlugin: Sendable {
    /// Serves a process.
    typealias Serve = (PluginProcess, RequestToken) -> Void

    private let owner: Owner
    private let loop: EventLoop
    private let thread: NamedThread

    /// - Parameters:
    ///   - serve: answers a request, at once or later.
    ///   - isIdle: called again and again, each time after what has come in was served.
    init(
        _ script: String, limits: ConnectionLimits, serve: @escaping Serve, isIdle: ((PluginProcess) -> Void)? = nil
    ) throws {
        loop = try EventLoop()
        owner = Owner(serve)
        let output = try Pipe.make()
        let error = try Pipe.make()
        let (ours, theirs) = try UnixSocket.pair()
        var options = SpawnOptions(
            executable: "/bin/sh", arguments: ["-c", script], environment: ["PATH": "/usr/bin:/bin"])
        options.standardOutput = output.writing.raw
        options.standardError = error.writing.raw
        options.channel = theirs.raw
        let child = try ChildProcess.spawn(options)
        for descriptor in [output.writing, error.writing, theirs] { descriptor.close() }
        let order = ProcessOrder(
            app: HostingFixture.app, process: ProcessNumber(1), recovered: nil, bundleHash: "")
        let process = PluginProcess(
            order, child: child, channel: ours, boot: BootIdentifier("test"), loop: loop, limits: limits, owner: owner)
        try process.follow(output: output.reading, error: error.reading)
        try owner.begin(process, on: loop, isIdle)
        thread = try loop.runOnOwnThread(name: "watched-plugin")
    }

    deinit {
        loop.stop()
        thread.join()
    }

    /// Answers with a line of so many bytes.
    static func answer(_ process: PluginProcess, _ token: RequestToken, bytes: Int) {
        let frame = #"{"jsonrpc":"2.0","id":1,"result":""}"#.utf8.count + 1
        let quote = [UInt8(ascii: "\"")]
        let text = quote + Array(repeating: UInt8(ascii: "x"), count: bytes - frame) + quote
        process.state.complete(token) { (writer) throws(RPCError) in writer.raw(text) }
        process.flush()
    }

    /// What it did wrong; waits for its end.
    var problem: String? {
        get async { await owner.ended.value }
    }

    /// The most bytes that waited for it at once.
    var mostWaiting: Int { owner.seen.withLock { $0.mostWaiting } }

    /// What it printed.
    var lines: [String] { owner.seen.withLock { $0.lines } }

    /// Unchecked because all but what is locked is used on the loop only.
    private final class Owner: PluginProcessOwner, @unchecked Sendable {
        struct Seen {
            var mostWaiting = 0
            var lines: [String] = []
        }

        let seen = Locked(Seen())
        let ended = Occurrence<String?>()
        private let serve: Serve
        private var process: PluginProcess?
        private var timer: LoopTimer?

        init(_ serve: @escaping Serve) {
            self.serve = serve
        }

        func begin(_ process: PluginProcess, on loop: EventLoop, _ isIdle: ((PluginProcess) -> Void)?) throws {
            self.process = process
            guard let isIdle else { return }
            timer = try loop.makeTimer(clock: .awake) { [weak self] in
                guard let self, let process = self.process else { return }
                isIdle(process)
                timer?.arm(atMilliseconds: SystemClock.milliseconds(.awake) + 10)
            }
            timer?.arm(atMilliseconds: 0)
        }

        func received(_ inbound: ConnectionState.Inbound, from process: PluginProcess) {
            guard case .request(let token, _) = inbound else { return }
            serve(process, token)
            seen.withLock { $0.mostWaiting = max($0.mostWaiting, process.state.outputCount) }
        }

        func took(_ line: [UInt8], stream: String, from process: PluginProcess) {
            seen.withLock { $0.lines.append(String(decoding: line, as: UTF8.self).filter { $0 != " " }) }
        }

        func gone(_ process: PluginProcess, _ exit: ProcessExit) {
            self.process = nil
            ended.happen(process.problem)
        }
    }
}
