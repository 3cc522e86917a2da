import Glibc
import Platform
import Scheduling
import Testing

@testable import Storage

@Suite("The store's worker")
struct StoreWorkerTests {
    @Test("does everything in order, on one other thread")
    func order() throws {
        let store = MemoryStore()
        let worker = try StoreWorker(store)
        let seen = Locked<[String]>([])
        let threads = Locked<Set<UInt>>([])
        for number in 0..<100 {
            worker.commit([.putRequest(Sample.request("task\(number)"))]) { result in
                threads.withLock { _ = $0.insert(UInt(pthread_self())) }
                if case .success = result { seen.withLock { $0.append("commit \(number)") } }
            }
            worker.perform({ try? $0.load().requests.count }) { count in
                seen.withLock { $0.append("count \(count ?? -1)") }
            }
        }
        worker.stop()
        #expect(seen.withLock { $0 } == (0..<100).flatMap { ["commit \($0)", "count \($0 + 1)"] })
        #expect(threads.withLock { $0.count } == 1)
        #expect(threads.withLock { !$0.contains(UInt(pthread_self())) })
    }

    @Test("says why a commit failed, and goes on")
    func failures() throws {
        let store = MemoryStore()
        let worker = try StoreWorker(store)
        store.failNext = StoreFailure(.full, "The disk is full.")
        let results = Locked<[StoreFailure.Kind?]>([])
        for _ in 0..<2 {
            worker.commit([.putRequest(Sample.request("a"))]) { result in
                switch result {
                case .success: results.withLock { $0.append(nil) }
                case .failure(let failure): results.withLock { $0.append(failure.kind) }
                }
            }
        }
        worker.stop()
        #expect(results.withLock { $0 } == [.full, nil])
    }

    @Test("closes the store when it stops, and refuses commits from then on")
    func stops() throws {
        let store = MemoryStore()
        let worker = try StoreWorker(store)
        worker.stop()
        #expect(failure { _ = try store.load() }?.kind == .closed)
        let answer = Locked<StoreFailure.Kind?>(nil)
        worker.commit([.putRequest(Sample.request("a"))]) { result in
            if case .failure(let failure) = result { answer.withLock { $0 = failure.kind } }
        }
        #expect(answer.withLock { $0 } == .closed)
    }

    @Test("takes over a SQLite store that was loaded elsewhere")
    func takesOver() throws {
        let folder = try TemporaryFolder()
        let worker: StoreWorker
        do {
            let store = try SQLiteStore(folder: folder.path, now: noon)
            _ = try store.load()
            worker = try StoreWorker(store)
        }
        worker.commit([.putRequest(Sample.request("a"))]) { _ in }
        worker.stop()
        #expect(try openStore(folder).load().requests == [Sample.request("a")])
    }
}
