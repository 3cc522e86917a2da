import Scheduling
import Testing

struct CountedWordTests {
    @Test("one thing is told as one")
    func counts() {
        #expect(CountedWord.text(1, "moment") == "1 moment")
        #expect([0, 2, -1].map { CountedWord.text($0, "moment") } == ["0 moments", "2 moments", "-1 moments"])
        #expect(CountedWord.text(1, "life", "lives") == "1 life")
        #expect(CountedWord.text(Int64(2), "life", "lives") == "2 lives")
    }
}
