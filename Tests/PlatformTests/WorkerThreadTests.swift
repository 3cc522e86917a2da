import Glibc
import Platform
import Testing

@Suite("Worker thread")
struct WorkerThreadTests {
    @Test("jobs run in the order in which they came, on one thread that is not ours")
    func order() throws {
        let worker = try WorkerThread(name: "worker")
        let seen = Locked([Int]())
        let threads = Locked(Set<Int32>())
        for number in 0..<1000 {
            worker.perform {
                seen.withLock { $0.append(number) }
                threads.withLock { _ = $0.insert(NamedThread.currentIdentifier) }
            }
        }
        worker.stopAndJoin()
        #expect(seen.withLock { $0 } == Array(0..<1000))
        #expect(threads.withLock { $0.count } == 1)
        #expect(!threads.withLock { $0.contains(NamedThread.currentIdentifier) })
    }

    @Test("a job that hands over another one gets it done before the end")
    func nested() throws {
        let worker = try WorkerThread(name: "worker")
        let pipe = try Pipe.make()
        worker.perform {
            worker.perform { write("x", to: pipe.writing) }
        }
        #expect(becomesReadable(pipe.reading.raw))
        worker.stopAndJoin()
    }

    @Test("a stopped worker refuses jobs, and stopping again does nothing")
    func stopped() throws {
        let worker = try WorkerThread(name: "worker")
        #expect(worker.perform {})
        worker.stopAndJoin()
        #expect(!worker.perform { Issue.record("a refused job ran") })
        worker.stopAndJoin()
    }

    @Test("the thread has its name, and every signal blocked")
    func nameAndSignals() throws {
        let worker = try WorkerThread(name: "store of things")
        let status = Locked("")
        worker.perform {
            let text = readFile("/proc/thread-self/status")
            status.withLock { $0 = text }
        }
        worker.stopAndJoin()
        let lines = status.withLock { $0.split(separator: "\n").map(String.init) }
        #expect(lines.contains("Name:\tstore of things"))
        // All but SIGKILL, SIGSTOP and the two that the C library keeps for itself.
        let blocked = lines.first { $0.hasPrefix("SigBlk:") }.flatMap { UInt64($0.dropFirst(8), radix: 16) }
        for signal in [SIGTERM, SIGINT, SIGHUP, SIGCHLD, SIGPIPE, SIGUSR1] {
            #expect((blocked ?? 0) & (1 << UInt64(signal - 1)) != 0)
        }
    }

    private func readFile(_ path: String) -> String {
        OwnedDescriptor(open(path, O_RDONLY | O_CLOEXEC)).text
    }
}

extension OwnedDescriptor {
    fileprivate var text: String {
        readAll(self)
    }
}
