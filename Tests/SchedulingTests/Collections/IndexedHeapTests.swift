import TestSupport
import Testing

@testable import Scheduling

struct IndexedHeapTests {
    @Test("slots come out by key, then by tie, whatever was taken out meanwhile", arguments: 0..<20)
    func ordersLikeASortedArray(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        var heap = IndexedHeap()
        var model: [Int32: (key: Int64, tie: Int64)] = [:]
        for step in 0..<400 {
            let slot = Int32(random.below(60))
            if random.chance(60), model[slot] == nil {
                let entry = (key: Int64(random.below(20)), tie: Int64(step))
                heap.insert(slot, key: entry.key, tie: entry.tie)
                model[slot] = entry
            } else {
                heap.remove(slot)
                model[slot] = nil
            }
            #expect(heap.count == model.count)
            #expect(heap.contains(slot) == (model[slot] != nil))
            let least = model.min { ($0.value.key, $0.value.tie) < ($1.value.key, $1.value.tie) }
            #expect(heap.first?.slot == least?.key && heap.first?.key == least?.value.key)
        }
        var popped: [Int32] = []
        while let slot = heap.pop() { popped.append(slot) }
        let sorted = model.sorted { ($0.value.key, $0.value.tie) < ($1.value.key, $1.value.tie) }.map(\.key)
        #expect(popped == sorted)
    }

    @Test("only what is within the limit comes out")
    func popsThroughALimit() {
        var heap = IndexedHeap()
        heap.insert(3, key: 10, tie: 0)
        heap.insert(4, key: 20, tie: 0)
        #expect(heap.pop(through: 9) == nil)
        #expect(heap.pop(through: 10) == 3)
        #expect(heap.pop(through: 19) == nil)
        #expect(heap.count == 1)
    }
}
