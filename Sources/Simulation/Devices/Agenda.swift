/// What is going to happen, in the order of its time; what comes at the same time comes in the order in which it was put.
struct Agenda<Item: Sendable>: Sendable {
    private struct Entry: Sendable {
        var time: Int64
        var number: Int64
        var item: Item
    }

    private var entries: [Entry] = []
    private var number: Int64 = 0

    var first: Int64? { entries.first?.time }

    mutating func add(_ item: Item, at time: Int64) {
        number += 1
        entries.append(Entry(time: time, number: number, item: item))
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard Self.precedes(entries[child], entries[parent]) else { return }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    mutating func pop() -> Item? {
        guard let first = entries.first else { return nil }
        let last = entries.removeLast()
        guard !entries.isEmpty else { return first.item }
        entries[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < entries.count {
                if Self.precedes(entries[child], entries[least]) { least = child }
            }
            guard least != parent else { return first.item }
            entries.swapAt(parent, least)
            parent = least
        }
    }

    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
    }

    private static func precedes(_ left: Entry, _ right: Entry) -> Bool {
        (left.time, left.number) < (right.time, right.number)
    }
}
