import Scheduling
import Testing

struct NearestNameTests {
    private let names = ["com.example.app.refresh", "com.example.app.export", "com.example.app.cleanup"]

    @Test(
        "the name that was probably meant is found",
        arguments: [
            ("com.example.app.refesh", "com.example.app.refresh"),
            ("com.example.app.Refresh", "com.example.app.refresh"),
            ("com.example.app.re-fresh", "com.example.app.refresh"),
            ("com.example.app.exprot", "com.example.app.export"),
        ])
    func findsTheNearest(name: String, expected: String) {
        #expect(NearestName.nearest(to: name, among: names) == expected)
    }

    @Test("nothing is found when nothing is near", arguments: ["", "org.other.thing", "xyz"])
    func findsNothing(name: String) {
        #expect(NearestName.nearest(to: name, among: names) == nil)
    }

    @Test("of equally near names the first in alphabetical order wins, whatever their order")
    func tiesAreBrokenByName() {
        #expect(NearestName.nearest(to: "task9", among: ["task2", "task1"]) == "task1")
        #expect(NearestName.nearest(to: "task9", among: ["task1", "task2"]) == "task1")
    }

    @Test("a name that was only begun finds what it begins")
    func beginningsAreFound() {
        #expect(NearestName.nearest(to: "ref", among: ["export", "refreshEverything"]) == "refreshEverything")
    }
}
