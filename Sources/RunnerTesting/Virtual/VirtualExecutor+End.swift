import CTaskHook
import Dispatch
import Platform

/// What is left when a run, or the whole scheduler, is over.
extension VirtualExecutor {
    /// The tasks that are there are the app's own: what they do is not the handler's work.
    func beginRun() {
        state.withLock { state in
            for task in state.tasks.keys { state.tasks[task]?.isOfApp = true }
        }
    }

    /// From now on it is counted what tasks still do.
    func closeBooks() {
        state.withLock { $0.isClosed = true }
    }

    /// How much the busiest task did after the books were closed: of those that were cancelled, and of the others.
    var afterClosing: (cancelled: Int, others: Int) {
        state.withLock { state in
            var result = (cancelled: 0, others: 0)
            for (task, count) in state.tasks where count.afterClosing > 0 && !count.isOfApp {
                if isCancelled(task, count) {
                    result.cancelled = max(result.cancelled, count.afterClosing)
                } else {
                    result.others = max(result.others, count.afterClosing)
                }
            }
            return result
        }
    }

    /// How many tasks sleep that nobody has cancelled.
    var sleepers: Int {
        state.withLock { state in
            state.timers.count { timer in
                guard !state.isStale(timer), let task = timer.task, let count = state.tasks[task] else { return false }
                return !count.isOfApp && !isCancelled(task, count)
            }
        }
    }

    /// Lets go of what the code left behind, as at the end of its process.
    ///
    /// Tasks that would go on by themselves, since they sleep or are ready, are cancelled; those that wait for others stay, as
    /// the worker of a singleton that serves the next life too. What they still do, and whatever comes later, goes where it
    /// would go without this executor and in real time. Only who is always ready, cancelled or not, is dropped in the end.
    func finish() {
        let (tasks, jobs, active) = state.withLock { state in
            state.isFinished = true
            state.leftovers = Set(state.ready.compactMap { TaskKey($0.job) })
            let active = state.leftovers.union(state.timers.compactMap(\.task))
            let jobs = state.ready.filter { TaskKey($0.job) == nil } + state.timers.map(\.job)
            state.ready.removeAll { TaskKey($0.job) == nil }
            let tasks = state.tasks
            state.timers = []
            state.tasks = [:]
            return (tasks, jobs, active)
        }
        guard !tasks.isEmpty || !jobs.isEmpty else { return }
        // Cancelling calls the code's own handlers, which may want what whoever lets the scheduler go holds.
        DispatchQueue.global().async {
            for (task, count) in tasks where count.isKept && active.contains(task) {
                if let pointer = task.pointer { runner_task_cancel(pointer) }
            }
            for job in jobs { self.runElsewhere(job) }
            self.runLeftovers(most: self.state.withLock { $0.mostAtOnce }, of: Array(tasks.keys))
        }
    }

    /// Runs what was ready until nothing is: it has to come to its end, or to wait for others, within so many jobs.
    private func runLeftovers(most: Int, of tasks: [TaskKey]) {
        let next = state.withLock { state -> VirtualJobs.Job? in
            if most > 0, !state.ready.isEmpty { return state.ready.removeFirst() }
            state.leftovers = []
            state.ready = []
            return nil
        }
        guard let next else {
            JobTaker.forget(tasks, of: self)
            return
        }
        let (queue, run): (DispatchQueue, @Sendable () -> Void) =
            switch next.place {
            case .pool: (.global(), { next.job.runSynchronously(on: self.asUnownedTaskExecutor()) })
            case .preferred(let executor, let queue):
                (queue ?? .global(), { next.job.runSynchronously(on: executor) })
            case .main: (.main, { MainRouter.run(next.job) })
            }
        queue.async {
            self.marked(run)
            self.runLeftovers(most: most - 1, of: tasks)
        }
    }

    /// Runs a job where it would run without this executor.
    func runElsewhere(_ job: VirtualJobs.Job) {
        switch job.place {
        case .pool: runner_enqueue(unsafeBitCast(job.job, to: UnsafeMutableRawPointer.self))
        case .preferred(let executor, let queue):
            (queue ?? .global()).async {
                job.job.runSynchronously(on: executor)
                // It was this one's, perhaps, and nobody else keeps it.
                withExtendedLifetime(self) {}
            }
        case .main: DispatchQueue.main.async { MainRouter.run(job.job) }
        }
    }

    // MARK: - Private

    /// A task that is not kept may be gone: what it was when it was seen last has to do.
    private func isCancelled(_ task: TaskKey, _ count: VirtualJobs.TaskCount) -> Bool {
        count.isKept ? task.isCancelled : count.wasCancelled
    }
}
