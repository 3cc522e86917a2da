/// Stands for a request until its one reply; void afterwards.
package struct RequestToken: Hashable, Sendable {
    fileprivate let index: UInt32
    fileprivate let generation: UInt32
}

/// The requests that still wait for their replies, in places that are used again.
struct PendingReplies: Sendable {
    struct Entry: Sendable {
        let identifier: RequestIdentifier
        let batch: BatchPlace?
    }

    /// Where in which batch a reply belongs.
    struct BatchPlace: Sendable {
        let batch: UInt32
        let member: Int
    }

    private struct Place: Sendable {
        var generation: UInt32 = 0
        var entry: Entry?
    }

    private var places: [Place] = []
    private var free: [UInt32] = []

    var count: Int { places.count - free.count }

    mutating func insert(_ entry: Entry) -> RequestToken {
        guard let index = free.popLast() else {
            places.append(Place(entry: entry))
            return RequestToken(index: UInt32(places.count - 1), generation: 0)
        }
        places[Int(index)].entry = entry
        return RequestToken(index: index, generation: places[Int(index)].generation)
    }

    /// Nil when the request has its reply already.
    mutating func remove(_ token: RequestToken) -> Entry? {
        let index = Int(token.index)
        guard index < places.count, places[index].generation == token.generation, let entry = places[index].entry
        else { return nil }
        places[index].entry = nil
        places[index].generation &+= 1
        free.append(token.index)
        return entry
    }
}
