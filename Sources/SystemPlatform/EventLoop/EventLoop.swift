import CLinux
import CSystemd
import Glibc
package import Platform

/// One thread that waits for everything: descriptors, timers, signals, and the jobs of actors that are pinned to it.
///
/// Callbacks run on the loop's thread, where such an actor is entered with `assumeIsolated`, without a hop. Until
/// `run()` the loop belongs to the thread that made it, for setting up; from then on to the thread that runs it. Only
/// `enqueue`, `stop`, `isOnLoop` and dropping a timer are for other threads; everything else must be called on the
/// loop. The loop itself touches no signal, so that it can live in a program that is not ours.
///
/// Work that belongs to a pinned actor costs one pass through the inbox for each time that it was really suspended.
/// `Task(executorPreference:)` works too, for one more pass at each step.
///
/// Unchecked because the compiler cannot see the rule above: every stored property but the inbox (which has a lock),
/// the wake descriptor and the owner (which is atomic) is used by the loop's thread alone, and preconditions hold it.
package final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
    /// For libsystemd's own objects, such as a bus, to attach to.
    package let event: OpaquePointer

    let descriptors: DescriptorWatcher
    /// What the C sources' callbacks point to.
    var retained: [AnyObject] = []
    var clockWatch: OwnedDescriptor?
    var clockHandlers: [() -> Void] = []
    var endOfTurn = EndOfTurn()

    private let wake: OwnedDescriptor
    private let owner: UnsafeMutablePointer<UInt64>
    private let inbox = Locked(Inbox())
    /// The inbox's other buffer, so that neither is allocated again and again.
    private var batch: [UnownedJob] = []
    private var sources: [OpaquePointer] = []
    private var jobSource: OpaquePointer?
    private var depth = 0
    private var phase = Phase.settingUp

    private enum Phase {
        /// → `running`.
        case settingUp
        /// → `stopping`.
        case running
        /// The current turn is the last. → `ended`.
        case stopping
        case ended
    }

    /// What other threads may leave for the loop.
    private struct Inbox: Sendable {
        var jobs: [UnownedJob] = []
        var stopRequested = false
        /// Addresses of sources whose owner went away on another thread.
        var orphans: [UInt] = []
    }

    package init() throws(SystemError) {
        var event: OpaquePointer?
        try SystemError.check(sd_event_new(&event), "make an event loop")
        guard let event else { preconditionFailure("sd_event_new succeeded without a result") }
        do throws(SystemError) {
            descriptors = try DescriptorWatcher()
            wake = OwnedDescriptor(try SystemError.check(runner_eventfd(), "make an event descriptor"))
        } catch {
            sd_event_unref(event)
            throw error
        }
        self.event = event
        owner = .allocate(capacity: 1)
        owner.initialize(to: UInt64(pthread_self()))
        try addOwnSources()
    }

    deinit {
        precondition(phase == .settingUp || phase == .ended, "a running loop is kept by its thread")
        for orphan in inbox.withLock({ $0.orphans }) {
            if let source = OpaquePointer(bitPattern: orphan) { sd_event_source_disable_unref(source) }
        }
        for source in sources { sd_event_source_disable_unref(source) }
        sd_event_unref(event)
        owner.deallocate()
    }

    // MARK: Running

    /// Runs on the calling thread, which owns the loop from now on, until `stop()`. A loop runs once.
    package func run() {
        precondition(phase == .settingUp, "a loop runs once")
        runner_atomic_store_word(owner, UInt64(pthread_self()))
        phase = .running
        while phase == .running {
            let result = sd_event_run(event, UInt64.max)
            precondition(result >= 0, "the event loop broke: \(SystemError.text(for: -result))")
        }
        phase = .ended
    }

    /// Runs on a thread of its own, which has all signals blocked. The calling thread no longer owns the loop.
    package func runOnOwnThread(name: String) throws(SystemError) -> NamedThread {
        precondition(isOnLoop && phase == .settingUp, "a loop runs once")
        let nobody: UInt64 = 0
        runner_atomic_store_word(owner, nobody)
        do throws(SystemError) {
            return try NamedThread(name: name) { self.run() }
        } catch {
            runner_atomic_store_word(owner, UInt64(pthread_self()))
            throw error
        }
    }

    /// Lets `run()` return after the current turn. For every thread. Jobs that come later never run.
    package func stop() {
        inbox.withLock { $0.stopRequested = true }
        wakeUp()
    }

    /// Whether the calling thread is the loop's.
    package var isOnLoop: Bool {
        runner_atomic_load_word(owner) == UInt64(pthread_self())
    }

    /// Tells systemd's watchdog, if there is one, that the loop turns. Does nothing elsewhere.
    package func enableWatchdog() throws(SystemError) {
        preconditionOnLoop()
        try SystemError.check(sd_event_set_watchdog(event, 1), "serve the watchdog")
    }

    // MARK: Executor

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let wasEmpty = inbox.withLock { inbox in
            inbox.jobs.append(job)
            return inbox.jobs.count == 1
        }
        // Whoever put the first job into an empty inbox has woken the loop.
        if wasEmpty { wakeUp() }
    }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    package func asUnownedTaskExecutor() -> UnownedTaskExecutor {
        UnownedTaskExecutor(ordinary: self)
    }

    package func checkIsolated() {
        preconditionOnLoop()
    }

    package func isIsolatingCurrentContext() -> Bool? {
        isOnLoop
    }

    // MARK: For the loop's other parts

    func preconditionOnLoop() {
        precondition(isOnLoop, "this belongs to the event loop's thread")
    }

    /// Runs a callback, and then the jobs that it (or anybody) left. Callbacks of libsystemd that do not pass here
    /// work too; their jobs cost one more turn.
    func dispatch(_ body: () -> Void) {
        depth += 1
        body()
        if depth == 1 { emptyInbox() }
        depth -= 1
        if depth == 0 { countDispatch() }
    }

    /// Keeps a source that lives as long as the loop.
    func keep(_ source: OpaquePointer?) {
        if let source { sources.append(source) }
    }

    static func enableOnce(_ source: OpaquePointer?) {
        sd_event_source_set_enabled(source, Int32(SD_EVENT_ONESHOT))
    }

    static func disable(_ source: OpaquePointer?) {
        sd_event_source_set_enabled(source, Int32(SD_EVENT_OFF))
    }

    /// Ends a source, from whatever thread.
    func end(_ source: OpaquePointer) {
        guard !isOnLoop else {
            sd_event_source_disable_unref(source)
            return
        }
        let address = UInt(bitPattern: source)
        inbox.withLock { $0.orphans.append(address) }
        wakeUp()
    }

    // MARK: Private

    private func wakeUp() {
        guard isOnLoop else {
            let result = runner_eventfd_signal(wake.raw)
            precondition(result >= 0, "an event descriptor can always be signalled")
            return
        }
        // Inside a callback the inbox is emptied when it returns.
        if depth == 0 { EventLoop.enableOnce(jobSource) }
    }

    /// One round: jobs that are left meanwhile wait for the next turn, so that they cannot starve the descriptors.
    private func emptyInbox() {
        precondition(batch.isEmpty, "the inbox is emptied by one callback at a time")
        var jobs = batch
        batch = []
        let (stopRequested, orphans) = inbox.withLock { inbox in
            swap(&jobs, &inbox.jobs)
            let orphans = inbox.orphans
            if !orphans.isEmpty { inbox.orphans = [] }
            return (inbox.stopRequested, orphans)
        }
        for orphan in orphans {
            if let source = OpaquePointer(bitPattern: orphan) { sd_event_source_disable_unref(source) }
        }
        if !jobs.isEmpty {
            // Not also as a task executor: a task without a preference, as those of actors are, would then find itself
            // on the wrong one at each step and come back through the inbox.
            let executor = asUnownedSerialExecutor()
            for job in jobs { job.runSynchronously(on: executor) }
            jobs.removeAll(keepingCapacity: true)
            let isMoreWaiting = inbox.withLock { !$0.jobs.isEmpty || $0.stopRequested != stopRequested }
            if isMoreWaiting { EventLoop.enableOnce(jobSource) }
        }
        batch = jobs
        if stopRequested && phase == .running { phase = .stopping }
    }

    private func addOwnSources() throws(SystemError) {
        let pointer = Unmanaged.passUnretained(self).toOpaque()
        let operation = "make an event loop"

        var source: OpaquePointer?
        let readable: sd_event_io_handler_t = { _, _, _, pointer in
            guard let pointer else { return 0 }
            let loop = Unmanaged<EventLoop>.fromOpaque(pointer).takeUnretainedValue()
            loop.dispatch { loop.descriptors.dispatch() }
            return 0
        }
        try SystemError.check(
            sd_event_add_io(event, &source, descriptors.epoll.raw, UInt32(POLLIN), readable, pointer), operation)
        keep(source)

        let jobsWait: sd_event_handler_t = { _, pointer in
            guard let pointer else { return 0 }
            Unmanaged<EventLoop>.fromOpaque(pointer).takeUnretainedValue().dispatch {}
            return 0
        }
        try SystemError.check(sd_event_add_defer(event, &jobSource, jobsWait, pointer), operation)
        EventLoop.disable(jobSource)
        // A defer source keeps its place in sd-event's order of age, so that one which is enabled again and again would
        // go before all others of its priority, for ever. Every other callback runs waiting jobs anyway.
        let afterTheOthers = Int64(SD_EVENT_PRIORITY_NORMAL) + 1
        try SystemError.check(sd_event_source_set_priority(jobSource, afterTheOthers), operation)
        keep(jobSource)

        try addEndOfTurnSource()
        let wake = wake
        try watch(wake.raw, for: .read) { _ in runner_eventfd_clear(wake.raw) }
    }
}
