import RPC
import Scheduling
import Testing

@testable import Runner

@Suite("Subscriptions")
struct EventSubscriptionTests {
    private func hasRoom(_ subscription: inout EventSubscription, for count: Int, written: Int64) -> Bool {
        subscription.hasRoom(for: count, written: written)
    }

    @Test("256 events may wait, not 257, and what the client has taken makes room")
    func events() {
        var subscription = EventSubscription(connection: 1, filter: EventFilter())
        for number in 1...256 {
            #expect(hasRoom(&subscription, for: 10, written: 0))
            subscription.add(10, endingAt: Int64(number) * 10)
        }
        #expect(!hasRoom(&subscription, for: 10, written: 9))
        #expect(hasRoom(&subscription, for: 10, written: 10))
        #expect(subscription.queuedCount == 255)
        #expect(hasRoom(&subscription, for: 10, written: 2_560))
        #expect(subscription.queuedCount == 0)
    }

    @Test("1 MiB may wait, and not a byte more")
    func bytes() {
        var subscription = EventSubscription(connection: 1, filter: EventFilter())
        subscription.add((1 << 20) - 100, endingAt: 1 << 20)
        #expect(hasRoom(&subscription, for: 100, written: 0))
        #expect(!hasRoom(&subscription, for: 101, written: 0))
        #expect(hasRoom(&subscription, for: 101, written: 1 << 20))
    }

    @Test("subscriptions go with their connection")
    func connections() {
        var subscriptions = EventSubscriptions()
        let first = subscriptions.add(EventSubscription(connection: 1, filter: EventFilter()))
        let second = subscriptions.add(EventSubscription(connection: 2, filter: EventFilter()))
        let third = subscriptions.add(EventSubscription(connection: 1, filter: EventFilter()))
        #expect([first, second, third] == [1, 2, 3])
        #expect(subscriptions.count(of: 1) == 2)
        subscriptions.removeAll(of: 1)
        #expect(subscriptions.numbers == [2])
        #expect(subscriptions[first] == nil)
        subscriptions.remove(second)
        #expect(subscriptions.isEmpty)
    }
}
