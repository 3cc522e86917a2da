import Glibc

/// One thread that runs closures in the order in which they came, and sleeps in between.
package final class WorkerThread: Sendable {
    private let queue: Queue
    private let thread: NamedThread

    package init(name: String) throws(SystemError) {
        let queue = Queue()
        self.queue = queue
        thread = try NamedThread(name: name) { queue.runUntilStopped() }
    }

    deinit {
        queue.stop()
    }

    /// Hands over a closure. False when the worker was stopped; the closure is then dropped.
    @discardableResult
    package func perform(_ job: @escaping @Sendable () -> Void) -> Bool {
        queue.append(job)
    }

    /// Runs what was handed over before, and returns when the thread has ended. Not to be called from a job.
    package func stopAndJoin() {
        queue.stop()
        thread.join()
    }

    // MARK: Private

    /// Unchecked because a condition variable needs the bare mutex: `jobs` and `stopped` are touched only under it.
    private final class Queue: @unchecked Sendable {
        private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
        private var jobs: [@Sendable () -> Void] = []
        private var stopped = false

        init() {
            mutex.initialize(to: pthread_mutex_t())
            condition.initialize(to: pthread_cond_t())
            pthread_mutex_init(mutex, nil)
            pthread_cond_init(condition, nil)
        }

        deinit {
            pthread_cond_destroy(condition)
            pthread_mutex_destroy(mutex)
            condition.deallocate()
            mutex.deallocate()
        }

        func append(_ job: @escaping @Sendable () -> Void) -> Bool {
            pthread_mutex_lock(mutex)
            let isAccepted = !stopped
            if isAccepted { jobs.append(job) }
            let isFirst = isAccepted && jobs.count == 1
            pthread_mutex_unlock(mutex)
            // After the mutex was let go, or the woken thread would at once have to wait for it.
            if isFirst { pthread_cond_signal(condition) }
            return isAccepted
        }

        func stop() {
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            stopped = true
            pthread_cond_signal(condition)
        }

        func runUntilStopped() {
            var batch: [@Sendable () -> Void] = []
            while true {
                pthread_mutex_lock(mutex)
                while jobs.isEmpty && !stopped { pthread_cond_wait(condition, mutex) }
                swap(&batch, &jobs)
                pthread_mutex_unlock(mutex)
                guard !batch.isEmpty else { return }
                for job in batch { job() }
                batch.removeAll(keepingCapacity: true)
            }
        }
    }
}
