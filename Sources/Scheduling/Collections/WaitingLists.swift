/// What a request waits for when no clock can tell when it opens.
enum WaitKey: Hashable, Sendable {
    case condition(DeviceCondition)
    /// A gate of the app itself: its launch, a pause, a force quit.
    case app(Int32)
    /// A window in which the device looks at deferred work.
    case window
    /// A gate of the request's own task: its handler, its running run.
    case task
}

/// One waiting set per closed gate: linked lists through the slots, so that joining and leaving is O(1).
struct WaitingLists: Sendable {
    private struct Links {
        var next: Int32 = -1
        var previous: Int32 = -1
        var key: WaitKey?
    }

    private var links: [Links] = []
    private var heads: [WaitKey: Int32] = [:]

    func contains(_ slot: Int32) -> Bool {
        Int(slot) < links.count && links[Int(slot)].key != nil
    }

    func isEmpty(for key: WaitKey) -> Bool {
        heads[key] == nil
    }

    /// What a slot waits for; `nil` when it does not wait.
    func key(of slot: Int32) -> WaitKey? {
        contains(slot) ? links[Int(slot)].key : nil
    }

    mutating func insert(_ slot: Int32, for key: WaitKey) {
        if Int(slot) >= links.count {
            links.append(contentsOf: repeatElement(Links(), count: Int(slot) - links.count + 1))
        }
        precondition(links[Int(slot)].key == nil, "the slot waits already")
        if key == .task {
            links[Int(slot)].key = key
            return
        }
        let head = heads[key] ?? -1
        links[Int(slot)] = Links(next: head, previous: -1, key: key)
        if head >= 0 { links[Int(head)].previous = slot }
        heads[key] = slot
    }

    mutating func remove(_ slot: Int32) {
        guard contains(slot), let key = links[Int(slot)].key else { return }
        let link = links[Int(slot)]
        links[Int(slot)] = Links()
        guard key != .task else { return }
        if link.next >= 0 { links[Int(link.next)].previous = link.previous }
        if link.previous >= 0 {
            links[Int(link.previous)].next = link.next
        } else if link.next >= 0 {
            heads[key] = link.next
        } else {
            heads[key] = nil
        }
    }

    /// Takes the whole set of a key out, in order of joining.
    mutating func removeAll(for key: WaitKey) -> [Int32] {
        guard var slot = heads.removeValue(forKey: key) else { return [] }
        var slots: [Int32] = []
        while slot >= 0 {
            slots.append(slot)
            let next = links[Int(slot)].next
            links[Int(slot)] = Links()
            slot = next
        }
        return slots.reversed()
    }
}
