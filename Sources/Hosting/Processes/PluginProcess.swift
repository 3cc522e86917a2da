import Platform
import RPC
import Scheduling
import SystemPlatform

/// One process of an app: its channel, its output, and its end.
///
/// What comes in goes to its owner; it is forgotten when `gone` was called.
/// Unchecked because it is used on the loop only.
final class PluginProcess: @unchecked Sendable {
    /// How long an orderly stop may take, and then each of SIGTERM and SIGKILL.
    static let graceMilliseconds: Int64 = 2_000

    private enum Phase {
        /// Can transition to `asked`, `terminated`, `gone`.
        case running
        /// It was asked to exit. Can transition to `terminated`, `gone`.
        case asked
        /// It got SIGTERM, and gets SIGKILL when it does not go. Can transition to `gone`.
        case terminated
        /// Its leader has ended. Final.
        case gone
    }

    let app: AppIdentifier
    let number: ProcessNumber
    let mark: ProcessMark?
    private let child: ChildProcess
    private let channel: OwnedDescriptor
    private let loop: EventLoop
    private unowned let owner: any PluginProcessOwner
    private var phase = Phase.running
    private var channelWatch: WatchToken?
    private var exitWatch: WatchToken?
    private var interest = Interest.read
    private var timer: LoopTimer?
    private var sources: [LineSource] = []
    private var groupWatch: EndWatch?
    /// The stream ends once all is written.
    private var endsStream = false
    private var flood: FloodGate
    private var reading: ReadingWatch
    /// Bytes of answers that wait for a commit.
    private var heldBytes = 0
    /// There is room again for the answers to what has come in.
    private var servesSoon = false
    /// It has ended: all that it wrote is served, whatever room its answers take.
    private var isServedToTheEnd = false

    var state: ConnectionState
    var hasSaidHello = false
    /// What it did wrong, if that is why it ends.
    private(set) var problem: String?
    /// The launches that it has not answered, by the number of our request.
    var launches: [Int64: RunIdentifier] = [:]
    /// The runs that it was given and that have not ended; they name the log that its output goes to.
    var runs: Set<RunIdentifier> = []

    init(
        _ order: ProcessOrder, child: ChildProcess, channel: OwnedDescriptor, boot: BootIdentifier, loop: EventLoop,
        limits: ConnectionLimits, owner: any PluginProcessOwner
    ) {
        app = order.app
        number = order.process
        self.child = child
        self.channel = channel
        self.loop = loop
        self.owner = owner
        state = ConnectionState(limits: limits)
        reading = ReadingWatch(patienceMilliseconds: limits.outputStallMilliseconds)
        flood = FloodGate(at: SystemClock.milliseconds(.awake))
        mark = ProcessIdentity(pid: child.pid).map {
            ProcessMark(group: $0.pid, startTime: $0.startTime, bootIdentifier: boot)
        }
    }

    /// Begins to watch it.
    func follow(output: OwnedDescriptor, error: OwnedDescriptor) throws(SystemError) {
        try channel.setNonblocking()
        timer = try loop.makeTimer(clock: .awake) { [weak self] in self?.timePassed() }
        for (name, descriptor) in [("stdout", output), ("stderr", error)] {
            sources.append(
                try LineSource(on: loop, descriptor) { [weak self] line in
                    guard let self else { return }
                    owner.took(line, stream: name, from: self)
                    count(line.count + FloodGate.bytesPerMessage)
                })
        }
        channelWatch = try loop.watch(channel.raw, for: .read) { [weak self] _ in self?.ready() }
        exitWatch = try loop.watch(child.pidfd.raw, for: .read) { [weak self] _ in self?.exited() }
    }

    /// It cannot be watched: it is killed, and nobody hears of it again.
    func abandon() {
        child.signalGroup(ProcessSignal.kill)
        _ = BlockingIO.wait(
            for: .reading, of: child.pidfd.raw, until: SystemClock.milliseconds(.awake) + Self.graceMilliseconds)
        _ = child.reap()
        close()
    }

    // MARK: - Ending

    /// Asks it to exit: a notification, then the end of the stream.
    func shutdown(_ message: @escaping (inout JSONWriter) -> Void) {
        guard case .running = phase else { return }
        phase = .asked
        if hasSaidHello { state.notify("shutdown", params: message) }
        endsStream = true
        flush()
        arm(after: Self.graceMilliseconds)
    }

    /// Ends it: SIGTERM to its group, and SIGKILL after a while.
    func terminate(because problem: String? = nil) {
        self.problem = self.problem ?? problem
        switch phase {
        case .running, .asked:
            phase = .terminated
            child.signalGroup(ProcessSignal.terminate)
            arm(after: Self.graceMilliseconds)
        case .terminated, .gone: break
        }
    }

    // MARK: - The channel

    /// Serves what has come in, as far as it can be read now.
    func drainChannel() {
        // A socket's buffer holds no more than this.
        var rounds = 32
        while rounds > 0, isReading, readOnce() { rounds -= 1 }
    }

    /// Writes what can be written, and watches for the rest.
    func flush() {
        let wasFull = isFull
        var isGone = false
        var hasTaken = false
        state.writeOutput { bytes in
            switch NonblockingIO.write(channel.raw, bytes) {
            case .data(let count):
                hasTaken = true
                return count
            case .wouldBlock: return 0
            case .endOfFile, .failed:
                isGone = true
                return 0
            }
        }
        if isGone { _ = state.takeOutput() }
        reading.note(hasTaken: hasTaken, waiting: state.outputCount, at: SystemClock.milliseconds(.awake))
        arm(after: 0)
        // What has come in already makes no descriptor readable.
        if wasFull, !isFull { serveSoon() }
        if endsStream, state.outputCount == 0 {
            endsStream = false
            UnixSocket.endStream(channel.raw)
        }
        watchChannel()
    }

    /// An answer waits for a commit: with too much of them waiting, nothing more is served.
    func hold(_ bytes: Int) {
        heldBytes += bytes
    }

    /// An answer that was held has gone into the output.
    func release(_ bytes: Int) {
        let wasHeldUp = isHeldUp
        heldBytes -= bytes
        if wasHeldUp, !isHeldUp { serveSoon() }
    }

    /// Counts what it writes: a process that floods waits, and everybody else does not.
    func count(_ bytes: Int) {
        guard flood.take(bytes, at: SystemClock.milliseconds(.awake)) else { return }
        for source in sources { source.setPaused(true) }
        watchChannel()
        arm(after: 0)
    }

    // MARK: - Private

    private var isReading: Bool {
        guard case .gone = phase else { return true }
        return false
    }

    private func ready() {
        _ = readOnce()
        flush()
    }

    /// Reads once and serves it; `false` when nothing more is there.
    private func readOnce() -> Bool {
        guard channel.raw >= 0 else { return false }
        let outcome = withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer in
            let outcome = NonblockingIO.read(channel.raw, into: buffer)
            if case .data(let count) = outcome {
                self.count(count)
                state.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
            return outcome
        }
        switch outcome {
        case .data: break
        case .endOfFile: state.receiveEnd()
        case .wouldBlock: return false
        case .failed: state.receiveEnd()
        }
        serve()
        if case .data = outcome { return true }
        return false
    }

    private var isFull: Bool { state.outputCount >= state.limits.outputBytes }

    private var isHeldUp: Bool { heldBytes >= state.limits.outputBytes && !isServedToTheEnd }

    /// Serves what has come in, in a turn of its own.
    private func serveSoon() {
        servesSoon = true
        arm(after: 0)
    }

    private func serve() {
        while !isHeldUp, let inbound = state.next() {
            count(FloodGate.bytesPerMessage)
            if case .closing(let reason) = inbound {
                closed(reason)
            } else {
                owner.received(inbound, from: self)
            }
            // A full output must not keep what it sent before its end from being served.
            if isFull { flush() }
        }
    }

    private func closed(_ reason: ConnectionState.ClosingReason) {
        switch reason {
        case .endOfInput:
            // It ends in a moment, or it has closed its descriptor and goes on.
            guard case .running = phase else { return }
            problem = "it closed its descriptor and went on"
            phase = .asked
            arm(after: Self.graceMilliseconds)
        case .notJSON: terminate(because: "it sent something that is not JSON")
        case .limitExceeded(let limit): terminate(because: "it went over the limit \(limit.rawValue) of its channel")
        }
    }

    private func watchChannel() {
        guard let channelWatch else { return }
        let needs = state.takeNeeds()
        let wanted: Interest
        switch (needs.read && !flood.isClosed && !isHeldUp, needs.write) {
        case (true, true): wanted = .readAndWrite
        case (true, false): wanted = .read
        case (false, true): wanted = .write
        // Its end is told by the process itself.
        case (false, false): wanted = []
        }
        guard wanted != interest else { return }
        interest = wanted
        try? loop.update(channelWatch, wanted)
    }

    // MARK: - Time

    private var deadline: Int64?

    private func arm(after milliseconds: Int64) {
        if milliseconds > 0 { deadline = SystemClock.milliseconds(.awake) + milliseconds }
        let next = [deadline, flood.opensAt, reading.endsAt, servesSoon ? 0 : nil].compactMap(\.self).min()
        if let next { timer?.arm(atMilliseconds: next) }
    }

    private func timePassed() {
        let now = SystemClock.milliseconds(.awake)
        if let opens = flood.opensAt, opens <= now {
            flood.open(at: now)
            for source in sources { source.setPaused(false) }
            watchChannel()
        }
        if servesSoon {
            servesSoon = false
            serve()
            flush()
        }
        if reading.isOver(at: now) { terminate(because: "it did not read what it was sent") }
        if let passed = deadline, passed <= now {
            deadline = nil
            switch phase {
            case .running, .gone: break
            case .asked: terminate()
            case .terminated: child.signalGroup(ProcessSignal.kill)
            }
        }
        arm(after: 0)
    }

    // MARK: - The end

    /// Its leader has ended. What it wrote before counts; what it left in its group ends with it.
    private func exited() {
        // Its own end explains the end of its stream.
        if case .asked = phase { problem = nil }
        isServedToTheEnd = true
        serve()
        drainChannel()
        for source in sources { source.drain() }
        child.signalGroup(ProcessSignal.kill)
        guard let status = child.reap() else { return }
        phase = .gone
        close()
        groupWatch = EndWatch.ofGroup(of: child, on: loop) { [weak self] in
            guard let self else { return }
            owner.gone(self, ProcessExit(status))
        }
    }

    private func close() {
        for watch in [channelWatch, exitWatch] {
            if let watch { loop.unwatch(watch) }
        }
        channelWatch = nil
        exitWatch = nil
        for source in sources { source.finish() }
        channel.close()
        timer = nil
    }
}

/// Who has the processes of apps.
protocol PluginProcessOwner: AnyObject {
    func received(_ inbound: ConnectionState.Inbound, from process: PluginProcess)
    func took(_ line: [UInt8], stream: String, from process: PluginProcess)
    func gone(_ process: PluginProcess, _ exit: ProcessExit)
}
