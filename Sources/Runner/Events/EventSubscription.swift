import RPC
import Scheduling

/// Which events a subscriber wants.
struct EventFilter {
    var types: Set<EventType>?
    /// Events that name none of these tasks are left out, and so are those that name none at all.
    var identifiers: Set<TaskIdentifier>?

    func matches(_ event: RunnerEvent) -> Bool {
        if let types, !types.contains(event.type) { return false }
        guard let identifiers else { return true }
        return event.identifier.map { identifiers.contains($0) } ?? false
    }
}

/// One subscription of a connection, with what waits to be read by the client.
struct EventSubscription {
    static let mostEvents = 256
    static let mostBytes = 1 << 20

    let connection: UInt64
    let filter: EventFilter
    /// Where in the connection's output each event ends, and how long it is.
    private var queue: [(end: Int64, bytes: Int)] = []
    private var first = 0
    private var bytes = 0

    init(connection: UInt64, filter: EventFilter) {
        self.connection = connection
        self.filter = filter
    }

    var queuedCount: Int { queue.count - first }

    /// Whether another event can wait, when so many bytes of the connection's output have gone out.
    mutating func hasRoom(for count: Int, written: Int64) -> Bool {
        while first < queue.count, queue[first].end <= written {
            bytes -= queue[first].bytes
            first += 1
        }
        if first > Self.mostEvents {
            queue.removeFirst(first)
            first = 0
        }
        return queuedCount < Self.mostEvents && bytes + count <= Self.mostBytes
    }

    mutating func add(_ count: Int, endingAt end: Int64) {
        queue.append((end, count))
        bytes += count
    }
}

/// The subscriptions of all connections, by number, in the order in which they were made.
struct EventSubscriptions {
    private(set) var numbers: [Int64] = []
    private var subscriptions: [Int64: EventSubscription] = [:]
    private var last: Int64 = 0

    var isEmpty: Bool { numbers.isEmpty }
    var count: Int { numbers.count }

    subscript(number: Int64) -> EventSubscription? {
        get { subscriptions[number] }
        _modify { yield &subscriptions[number] }
    }

    func count(of connection: UInt64) -> Int {
        numbers.count { subscriptions[$0]?.connection == connection }
    }

    mutating func add(_ subscription: EventSubscription) -> Int64 {
        last += 1
        numbers.append(last)
        subscriptions[last] = subscription
        return last
    }

    mutating func remove(_ number: Int64) {
        subscriptions[number] = nil
        numbers.removeAll { $0 == number }
    }

    mutating func removeAll(of connection: UInt64) {
        for number in numbers where subscriptions[number]?.connection == connection { subscriptions[number] = nil }
        numbers.removeAll { subscriptions[$0] == nil }
    }
}
