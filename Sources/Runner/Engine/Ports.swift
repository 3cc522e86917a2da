package import Scheduling

/// The port behind which the clocks are: readings, and being woken.
package protocol EngineClock: AnyObject {
    func now() -> Moment
    /// Has the engine told that time passed when one of the deadlines is reached; replaces the earlier wish.
    func setWakeup(_ wakeup: Wakeup)
}

/// The port behind which the store works on its own thread.
package protocol EngineStore: AnyObject, Sendable {
    func commit(_ changes: [StoreChange], completion: @escaping @Sendable (Result<Void, StoreFailure>) -> Void)
    func perform<Answer: Sendable>(
        _ body: @escaping @Sendable (any RequestStore) -> Answer, completion: @escaping @Sendable (Answer) -> Void)
    func stop()
}

/// The port behind which handlers run. It is used on the engine's loop only, and answers with events.
package protocol HandlerHost: AnyObject {
    /// Starts the handler; answers `handlerEntered` or `startFailed`, then what becomes of the run.
    func launch(_ order: LaunchOrder)
    /// Calls the expiration handler, once.
    func expire(_ run: RunIdentifier, reason: ExpirationReason, grace: Duration)
    /// Reads what handlers have said by now, before time decides about them.
    func settle()
    /// The grace period ended: ends the code, if it can be ended. A handler that was not entered yet must not be any
    /// more, and is answered with `startFailed`.
    func terminate(_ run: RunIdentifier)
}

/// The port behind which the processes of apps are. It is used on the engine's loop only, and answers with events.
package protocol ProcessHost: AnyObject {
    /// Starts the process of an app; answers `processStarted` or `processStartFailed`, and in the end `processGone`.
    func start(_ order: ProcessOrder)
    /// Has it exit: asked, when the cause is orderly, else killed.
    func end(_ app: AppIdentifier, _ process: ProcessNumber, _ cause: StopCause)
}

/// The port behind which device conditions are observed, without polling.
package protocol DeviceSource: AnyObject {
    /// Begins to report, with the present values first. `report` is for the loop only.
    func start(report: @escaping (Event) -> Void) throws
    func stop()
}

/// The port behind which bundles are: what a program that hosts other people's code adds to the engine.
package protocol BundleDirectory: AnyObject {
    func bundlePath(of app: AppIdentifier) -> String?
    var findings: [Finding] { get }
    /// Reads the bundles again, and says what changed as events.
    func reload() -> [Event]
    func lines(_ query: LogQuery) -> LogPage
    /// History has forgotten these runs; their lines go too.
    func forget(_ runs: [RunIdentifier])
}

/// Which kept lines `log` asks for.
package struct LogQuery: Hashable, Sendable {
    package var run: RunIdentifier?
    package var app: AppIdentifier?
    package var limit: Int
    package var after: LogPosition?

    package init(run: RunIdentifier?, app: AppIdentifier?, limit: Int, after: LogPosition?) {
        self.run = run
        self.app = app
        self.limit = limit
        self.after = after
    }
}

/// Where a page of kept lines begins: a run, and how many bytes of its lines come before.
///
/// Of the lines of an app, which are ordered by time, it has no run but the number of the line.
package struct LogPosition: Hashable, Sendable {
    /// 0 is none.
    package var run: RunIdentifier
    package var offset: Int

    package init(run: RunIdentifier, offset: Int) {
        self.run = run
        self.offset = offset
    }

    /// The line with this number, or the first after it.
    package static func line(_ number: Int64) -> LogPosition {
        LogPosition(run: RunIdentifier(0), offset: Int(number))
    }

    /// The number of the line, if it is no place in the lines of a run.
    package var number: Int64? { run.number == 0 ? Int64(offset) : nil }
}

/// A page of kept lines, oldest first.
package struct LogPage: Hashable, Sendable {
    package struct Line: Hashable, Sendable {
        package var at: WallTime
        package var stream: String
        package var text: String

        package init(at: WallTime, stream: String, text: String) {
            self.at = at
            self.stream = stream
            self.text = text
        }
    }

    package var lines: [Line]
    /// Where the next page begins, if there is one.
    package var next: LogPosition?
    /// Where what is kept later begins, or the next page.
    package var end: LogPosition

    package init(lines: [Line], next: LogPosition? = nil, end: LogPosition = .line(0)) {
        self.lines = lines
        self.next = next
        self.end = end
    }
}
