import Platform
import Testing

@Suite("Locked")
struct LockedTests {
    @Test("no increment of many threads is lost")
    func increments() throws {
        let counter = Locked(0)
        let threads = try (0..<4).map { number in
            try NamedThread(name: "counter \(number)") {
                for _ in 0..<10_000 { counter.withLock { $0 += 1 } }
            }
        }
        for thread in threads { thread.join() }
        #expect(counter.withLock { $0 } == 40_000)
    }

    @Test("an error leaves the lock open and passes through with its type")
    func errors() {
        struct Refusal: Error {}
        let value = Locked([1])
        #expect(throws: Refusal.self) {
            try value.withLock { value throws(Refusal) in
                value.append(2)
                throw Refusal()
            }
        }
        #expect(value.withLock { $0 } == [1, 2])
    }
}
