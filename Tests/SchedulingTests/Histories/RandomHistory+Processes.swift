import Scheduling
import TestSupport

/// The app whose handlers run in a process: what the process really does, whatever the scheduler knows of it.
extension RandomHistory {
    struct Process {
        enum State {
            case spawned, connected, launched
        }

        var number: ProcessNumber
        var state = State.spawned
        /// It was told to go.
        var isEnding = false
        /// It is being killed.
        var isHurried = false
    }

    static let plug = AppIdentifier(checked: "com.example.plug")
    static let pull = TaskIdentifier(checked: "com.example.plug.pull")
    static let index = TaskIdentifier(checked: "com.example.plug.index")
    static let live = TaskIdentifier(checked: "com.example.plug.live.one")

    private static let versions = [
        description(["pull", "index"], every: .minutes(10), hash: "1"), description(["pull"], every: nil, hash: "2"),
    ]

    static func plugin(_ version: Int) -> AppDescription {
        versions[version]
    }

    private static func description(_ names: [String], every: Duration?, hash: String) -> AppDescription {
        AppDescription(
            app: plug, host: .process,
            permitted: names.map { .exact(TaskIdentifier(checked: "com.example.plug.\($0)")) }
                + [.prefix("com.example.plug.live.")],
            modes: [.fetch, .processing],
            tasks: every.map { [TaskSettings(identifier: index, kind: .processing, every: $0)] } ?? [],
            bundleHash: hash)
    }

    // MARK: - What the scheduler orders

    mutating func spawn(_ order: ProcessOrder) {
        log?.append("  start process \(order.process.number)")
        if process != nil { problems.append("a process was started beside another") }
        if hasAppLeftover { problems.append("a process was started beside one that an earlier runner left") }
        process = Process(number: order.process)
        unreported = order.process
    }

    mutating func endProcess(_ number: ProcessNumber, _ cause: StopCause) {
        log?.append("  end process \(number.number): \(cause)")
        if process?.number != number { problems.append("a process was ended that is not there") }
        if process?.isEnding == true, cause.isOrderly || process?.isHurried == true {
            problems.append("a process was ended twice")
        }
        process?.isEnding = true
        process?.isHurried = !cause.isOrderly
    }

    /// The host of a launch that left after its commit; its process may be gone by then.
    func host(of order: LaunchOrder) -> Host {
        var host = Host(identifier: order.identifier, isCommand: order.host == .commands)
        host.process = order.process
        host.isLost = order.host == .process && process?.number != order.process
        return host
    }

    /// Says what came of an order to start a process.
    mutating func reportSpawn() {
        guard let number = unreported else { return }
        unreported = nil
        if random.chance(95) {
            let mark = ProcessMark(group: Int32(number.number), startTime: 1, bootIdentifier: boot)
            feed(.processStarted(Self.plug, number, mark), settles: false)
        } else {
            process = nil
            feed(.processStartFailed(Self.plug, number, reason: "no such file"), settles: false)
        }
    }

    // MARK: - What the process does

    mutating func processStep() {
        guard let process else { return }
        if random.chance(process.isEnding ? 60 : 10) {
            processGone()
            return
        }
        switch process.state {
        case .spawned:
            self.process?.state = .connected
            feed(.appConnected(Self.plug, process.number))
        case .connected:
            registerAll(likely: 92)
            settle()
        case .launched:
            guard random.chance(30) else { return }
            feed(.handlerRegistered(registration(Self.live, .continuedProcessing), call: call()))
        }
    }

    mutating func processGone() {
        guard let number = process?.number else { return }
        let exits: [ProcessExit] = [.code(0), .code(0), .code(1), .signal(9), .signal(15)]
        let end = ProcessEnd(random.pick(exits), problem: random.chance(20) ? "it sent something else" : nil)
        process = nil
        for (run, host) in hosts where host.process == number { hosts[run] = nil }
        feed(.processGone(Self.plug, number, end))
    }

    mutating func registerAll(likely percent: Int) {
        process?.state = .launched
        for (identifier, kind) in [(Self.pull, nil), (Self.index, TaskKind.processing)] where random.chance(percent) {
            feed(.handlerRegistered(registration(identifier, kind), call: call()), settles: false)
        }
        feed(.launchFinished(Self.plug), settles: false)
    }

    private func registration(_ identifier: TaskIdentifier, _ kind: TaskKind?) -> HandlerRegistration {
        HandlerRegistration(identifier: identifier.text, app: Self.plug, kind: kind, origin: "the plugin")
    }

    /// The runner dies: its process sees the end of its stream, and exits at once or lives on.
    mutating func crashProcess(reboots: Bool) {
        hasAppLeftover = !reboots && (process != nil || hasAppLeftover) && random.chance(40)
        process = nil
        unreported = nil
    }

    mutating func endAppLeftover() {
        guard hasAppLeftover else { return }
        hasAppLeftover = false
        feed(.appLeftoverGone(Self.plug))
    }
}
