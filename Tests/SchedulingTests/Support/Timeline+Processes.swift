import Scheduling
import Testing

/// The part of an app's process, played by a test.
extension Timeline {
    /// A runner with one app whose handlers run in a process, which has not been started yet.
    static func withProcess(
        _ description: AppDescription = Fixture.plugin(), policy: Policy = .prompt
    ) -> Timeline {
        Timeline(policy: policy, apps: [description], handlers: [])
    }

    /// A runner whose app's process has registered handlers and finished its launch.
    static func launchedProcess(
        _ description: AppDescription = Fixture.plugin(), handlers: [String] = ["refresh", "export", "upload"],
        policy: Policy = .prompt
    ) -> Timeline {
        var timeline = withProcess(description, policy: policy)
        timeline.launchProcess(handlers)
        return timeline
    }

    /// The processes that were ordered, in order.
    var starts: [ProcessOrder] {
        effects.compactMap { if case .startProcess(let order) = $0 { order } else { nil } }
    }

    /// Why processes were to end, in order.
    var stops: [StopCause] {
        effects.compactMap { if case .endProcess(_, _, let cause) = $0 { cause } else { nil } }
    }

    var process: ProcessNumber { starts.last?.process ?? ProcessNumber(0) }
    var appState: AppState? { scheduler.allApps.first { $0.app == Fixture.app }?.state }

    /// What doctor finds by that name.
    func finding(_ name: String) -> Finding? {
        scheduler.findings(at: now).first { $0.name == name }
    }

    mutating func connect() {
        send(.appConnected(Fixture.app, process))
    }

    /// The process that was ordered last registers, and finishes its launch.
    mutating func launchProcess(_ handlers: [String]) {
        connect()
        for name in handlers { register(Fixture.task(name).text) }
        send(.launchFinished(Fixture.app))
    }

    mutating func processGone(_ exit: ProcessExit = .code(0), problem: String? = nil) {
        send(.processGone(Fixture.app, process, ProcessEnd(exit, problem: problem)))
    }

    /// The process does what it was asked to.
    mutating func stopIdleProcess() {
        wait(.seconds(61))
        processGone()
    }
}
