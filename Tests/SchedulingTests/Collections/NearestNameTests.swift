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

    @Test(
        "names that only begin like those of the app, or that differ in more than a third, are not near",
        arguments: [
            "com.example.app.zzz", "com.example.apa", "com.example.app.reports", "com.example.app.move",
            "com.example.app.exportation", "com.sample.other.refresh",
        ])
    func farNames(name: String) {
        #expect(NearestName.nearest(to: name, among: names + ["com.example.app.up"]) == nil)
    }

    @Test(
        "a slip in any component is near",
        arguments: [
            "com.exmaple.app.refresh", "com.example.apps.refresh", "com.example.app.refreshes", "example.app.refresh",
        ])
    func components(name: String) {
        #expect(NearestName.nearest(to: name, among: names) == names[0])
    }

    @Test(
        "a pattern is near what it nearly permits",
        arguments: [
            ("com.example.app.exprot.holiday", true), ("com.example.app.export", true),
            ("com.example.app.archive.holiday", false), ("com.example.mine.export.holiday", false),
        ])
    func patterns(name: String, isNear: Bool) {
        let pattern = "com.example.app.export.*"
        #expect(NearestName.nearest(to: name, among: [pattern]) == (isNear ? pattern : nil))
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
