import Testing

@testable import Scheduling

struct WaitingListsTests {
    @Test("a set comes out in the order of joining, without those that left")
    func keepsTheOrder() {
        var lists = WaitingLists()
        for slot in Int32(0)..<6 { lists.insert(slot, for: slot == 3 ? .app(1) : .condition(.network)) }
        lists.remove(0)
        lists.remove(2)
        lists.remove(5)
        #expect(lists.removeAll(for: .condition(.network)) == [1, 4])
        #expect(lists.removeAll(for: .condition(.network)).isEmpty)
        #expect(lists.contains(3) && !lists.contains(1) && !lists.contains(99))
        #expect(lists.removeAll(for: .app(1)) == [3])
    }

    @Test("what waits for its own task is in no set, and can join another later")
    func ownTasksHaveNoSet() {
        var lists = WaitingLists()
        lists.insert(7, for: .task)
        #expect(lists.contains(7))
        #expect(lists.removeAll(for: .task).isEmpty)
        lists.remove(7)
        lists.insert(7, for: .app(0))
        #expect(lists.removeAll(for: .app(0)) == [7])
    }
}
