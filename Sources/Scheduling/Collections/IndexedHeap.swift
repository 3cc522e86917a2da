/// A priority queue of slots that can also be taken out from the middle.
///
/// Ordered by (key, tie). Four children a node, since the cost of a sift is the cache lines that it touches.
/// Insert, remove and pop are O(log n); the minimum is O(1).
struct IndexedHeap: Sendable {
    private struct Node {
        var key: Int64
        var tie: Int64
        var slot: Int32

        func precedes(_ other: Node) -> Bool {
            key != other.key ? key < other.key : tie < other.tie
        }
    }

    private var nodes: [Node] = []
    /// Where each slot's node is, or -1.
    private var positions: [Int32] = []

    var isEmpty: Bool { nodes.isEmpty }
    var count: Int { nodes.count }
    var first: (key: Int64, slot: Int32)? {
        nodes.first.map { ($0.key, $0.slot) }
    }

    func contains(_ slot: Int32) -> Bool {
        Int(slot) < positions.count && positions[Int(slot)] >= 0
    }

    mutating func reserve(_ count: Int) {
        nodes.reserveCapacity(count)
        positions.reserveCapacity(count)
    }

    mutating func insert(_ slot: Int32, key: Int64, tie: Int64) {
        if Int(slot) >= positions.count {
            positions.append(contentsOf: repeatElement(-1, count: Int(slot) - positions.count + 1))
        }
        precondition(positions[Int(slot)] < 0, "the slot is in the heap already")
        nodes.append(Node(key: key, tie: tie, slot: slot))
        siftUp(nodes.count - 1)
    }

    mutating func remove(_ slot: Int32) {
        guard contains(slot) else { return }
        let position = Int(positions[Int(slot)])
        positions[Int(slot)] = -1
        let last = nodes.removeLast()
        guard position < nodes.count else { return }
        let removed = nodes[position]
        nodes[position] = last
        positions[Int(last.slot)] = Int32(position)
        if last.precedes(removed) { siftUp(position) } else { siftDown(position) }
    }

    /// Takes out the first slot if its key is at most the limit.
    mutating func pop(through limit: Int64 = .max) -> Int32? {
        guard let first = nodes.first, first.key <= limit else { return nil }
        remove(first.slot)
        return first.slot
    }

    private mutating func siftUp(_ start: Int) {
        nodes.withUnsafeMutableBufferPointer { nodes in
            positions.withUnsafeMutableBufferPointer { positions in
                var index = start
                let node = nodes[index]
                while index > 0 {
                    let parent = (index - 1) >> 2
                    guard node.precedes(nodes[parent]) else { break }
                    nodes[index] = nodes[parent]
                    positions[Int(nodes[index].slot)] = Int32(truncatingIfNeeded: index)
                    index = parent
                }
                nodes[index] = node
                positions[Int(node.slot)] = Int32(truncatingIfNeeded: index)
            }
        }
    }

    private mutating func siftDown(_ start: Int) {
        nodes.withUnsafeMutableBufferPointer { nodes in
            positions.withUnsafeMutableBufferPointer { positions in
                var index = start
                let node = nodes[index]
                while true {
                    let firstChild = index << 2 + 1
                    guard firstChild < nodes.count else { break }
                    var least = firstChild
                    for child in (firstChild + 1)..<max(firstChild + 1, min(firstChild + 4, nodes.count))
                    where nodes[child].precedes(nodes[least]) {
                        least = child
                    }
                    guard nodes[least].precedes(node) else { break }
                    nodes[index] = nodes[least]
                    positions[Int(nodes[index].slot)] = Int32(truncatingIfNeeded: index)
                    index = least
                }
                nodes[index] = node
                positions[Int(node.slot)] = Int32(truncatingIfNeeded: index)
            }
        }
    }
}
