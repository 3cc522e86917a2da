import Scheduling
import Testing

@testable import Storage

@Suite("The memory store's faults")
struct MemoryStoreTests {
    private let full = StoreFailure(.full, "The disk is full.")

    @Test("a fault for the next write hits one write, and nothing of it is there")
    func failNext() throws {
        let store = MemoryStore()
        store.failNext = full
        #expect(failure { try store.commit([.putRequest(Sample.request("a")), .putRun(Sample.run(1))]) } == full)
        #expect(try store.load() == StoreContents())
        #expect(store.commits == 0)
        try store.commit([.putRequest(Sample.request("a"))])
        #expect(store.commits == 1)
    }

    @Test("a lasting fault hits every write and no read, until it is taken away")
    func failing() throws {
        let store = MemoryStore()
        store.failing = full
        for _ in 0..<3 { #expect(failure { try store.commit([.putRequest(Sample.request("a"))]) } == full) }
        #expect(failure { _ = try store.applyRetention(Retention(), now: noon) } == full)
        #expect(failure { try store.acknowledgeRecovery() } == full)
        #expect(try store.load() == StoreContents())
        store.failing = nil
        try store.commit([.putRequest(Sample.request("a"))])
    }

    @Test("a fault of reads hits every read and no write")
    func failReads() throws {
        let store = MemoryStore()
        store.failReads = full
        try store.commit([.putRequest(Sample.request("a"))])
        #expect(failure { _ = try store.load() } == full)
        #expect(failure { _ = try store.run(RunIdentifier(1)) } == full)
        #expect(failure { _ = try store.history(HistoryQuery()) } == full)
        #expect(failure { _ = try store.deviceChanges(limit: 1) } == full)
    }

    @Test("the copy after a crash has what was committed, no faults, and a life of its own")
    func afterCrash() throws {
        let store = MemoryStore()
        try store.commit([.putRequest(Sample.request("a"))])
        store.failing = full
        store.failReads = full
        let copy = store.afterCrash()
        #expect(try copy.load().requests == [Sample.request("a")])
        try copy.commit([.removeRequest(Sample.identifier("a"))])
        store.failReads = nil
        #expect(try store.load().requests == [Sample.request("a")])
    }

    @Test("a recovery is reported until it is acknowledged")
    func recovery() throws {
        let store = MemoryStore()
        let recovery = StoreRecovery(at: noon, setAside: "elsewhere", reason: "It was damaged.")
        store.setRecovered(recovery)
        #expect(store.report().recovered == recovery)
        try store.acknowledgeRecovery()
        #expect(store.report().recovered == nil)
    }
}
