import Plugins
import Scheduling
import Testing

@testable import Simulation

@Suite("Reading scenarios")
struct ScenarioReadingTests {
    @Test("whatever a scenario is, it can be written and read again", arguments: 0..<300 as Range<UInt64>)
    func roundTrip(seed: UInt64) {
        let scenario = AnyScenario.scenario(seed: seed)
        let text = ScenarioText.of(scenario)
        let reading = read(text)
        #expect(reading.problems.filter { $0.severity == .error } == [], "\(text)")
        #expect(reading.scenario == scenario, "\(text)")
    }

    @Test("a small file has a default for all that it does not say")
    func defaults() throws {
        let reading = read("{\"devices\": [{}], \"apps\": [{\"app\": \"com.example.news\"}]} // all of it")
        let scenario = try #require(reading.scenario)
        #expect(reading.problems == [])
        #expect(scenario.name == "day")
        #expect(scenario.start == WallTime(milliseconds: 1_767_571_200_000))
        #expect(scenario.days == 1)
        #expect(scenario.devices == [ScenarioDevice(name: "prompt", policy: .prompt)])
        #expect(scenario.apps == [ScenarioApp(AppIdentifier(checked: "com.example.news"))])
    }

    @Test("the first day begins at midnight of the devices' clocks, east and west of UTC")
    func midnight() throws {
        for (offset, milliseconds) in [("Z", 0), ("+01:00", -3_600_000), ("-05:30", 19_800_000)] as [(String, Int64)] {
            let scenario = try #require(day("\"start\": \"2026-03-02\", \"utcOffset\": \"\(offset)\"").scenario)
            #expect(scenario.start.milliseconds == 1_772_409_600_000 + milliseconds)
        }
    }

    @Test("given windows are taken, so that the policy generates none")
    func windows() throws {
        let text = """
            {"apps": [], "devices": [
                {"name": "a", "policy": "apple", "windows": ["00:40", {"at": "03:15", "for": "5m"}]},
                {"name": "b", "policy": "doze", "windowLength": "7m", "windows": ["02:10"]}
            ]}
            """
        let devices = try #require(read(text).scenario).devices
        #expect(devices[0].policy.apple?.windows == .given)
        #expect(
            devices[0].windows == [
                ScenarioWindow(at: .minutes(40), length: .minutes(2)),
                ScenarioWindow(at: .minutes(195), length: .minutes(5)),
            ])
        #expect(devices[1].policy.doze?.windows == .given)
        #expect(devices[1].windows == [ScenarioWindow(at: .minutes(130), length: .minutes(7))])
    }

    // MARK: Events

    @Test("a condition from one time to another is one event for each, and over midnight the end is a day later")
    func spans() throws {
        let day = try #require(
            day("\"days\": 5, \"events\": [{\"from\": \"00:30\", \"to\": \"06:45\", \"externalPower\": true}]").scenario
        )
        #expect(
            day.events == [
                ScenarioEvent(at: .minutes(30), .setCondition(ScenarioCondition(.externalPower, .flag(true)))),
                ScenarioEvent(at: .minutes(405), .setCondition(ScenarioCondition(.externalPower, .flag(false)))),
            ])
        let night = try #require(
            self.day(
                """
                "days": 5, "events": [{"from": "23:00", "to": "06:00", "day": 2, "network": "none", "then": "metered"}]
                """
            ).scenario)
        #expect(
            night.events == [
                ScenarioEvent(
                    at: .hours(23), days: 2...2, .setCondition(ScenarioCondition(.network, .network(.none)))),
                ScenarioEvent(
                    at: .hours(6), days: 3...3, .setCondition(ScenarioCondition(.network, .network(.metered)))),
            ])
    }

    @Test("days are numbers, ranges, or several of both")
    func days() throws {
        let events = try #require(
            day(
                """
                "days": 9, "events": [
                    {"at": "01:00", "day": 2, "crash": true}, {"at": "02:00", "day": "2-5", "crash": true},
                    {"at": "03:00", "days": [1, "3-4"], "crash": true}
                ]
                """
            ).scenario
        ).events
        #expect(events.map(\.days) == [2...2, 2...5, 1...1, 3...4])
    }

    @Test("a floor is a time of the day, or a time after the submission")
    func floors() throws {
        let events = try #require(
            day(
                """
                "events": [
                    {"at": "08:30", "submit": "com.example.news.refresh", "earliestBeginDate": "08:45"},
                    {"at": "23:00", "submit": "com.example.news.refresh", "earliestBeginDate": "06:00"},
                    {"at": "23:00", "submit": "com.example.news.refresh", "after": "15m", "ifPending": "keep"}
                ]
                """
            ).scenario
        ).events
        let request = TaskRequest(identifier: TaskIdentifier(checked: "com.example.news.refresh"))
        #expect(
            events.map(\.action) == [
                .submit(request, floor: .timeOfDay(.minutes(525)), .replace),
                .submit(request, floor: .timeOfDay(.hours(6)), .replace),
                .submit(request, floor: .after(.minutes(15)), .keep),
            ])
    }

    // MARK: Extending

    @Test("a file that extends another replaces what it says, and adds its events")
    func extending() throws {
        let files = ScenarioFiles(files: [
            "a/base.json": """
            {"name": "base", "days": 3, "start": "2026-03-02", "apps": [{"app": "com.example.news"}], "devices": [{}],
             "events": [{"at": "08:00", "open": "com.example.news"}]}
            """,
            "a/more.json": """
            {"extends": "base.json", "name": "more", "days": 2, "utcOffset": "+02:00",
             "events": [{"at": "15:00", "forceQuit": "com.example.news"}]}
            """,
        ])
        let reading = files.read("a/more.json")
        let scenario = try #require(reading.scenario)
        #expect(scenario.name == "more")
        #expect(scenario.days == 2)
        #expect(scenario.start == WallTime(milliseconds: 1_772_409_600_000 - 7_200_000), "still midnight")
        #expect(scenario.devices.count == 1)
        let app = AppIdentifier(checked: "com.example.news")
        #expect(scenario.events.map(\.action) == [.open(app), .forceQuit(app)])
    }

    @Test("what is wrong with an extended file is said of that file")
    func wrongBase() {
        let files = ScenarioFiles(files: [
            "base.json": "{\"apps\": [],\n\"devices\": [{}],\n\"dyas\": 3}",
            "more.json": "{\"extends\": \"base.json\"}",
        ])
        let problems = files.read("more.json").problems
        #expect(problems.map(\.file) == ["base.json"])
        #expect(problems.map(\.line) == [3])
        #expect(
            ScenarioFiles(files: ["a": "{\"extends\": \"b\", \"apps\": [], \"devices\": [{}]}"]).read("a").problems.map(
                \.file) == ["a"], "it is named there")
    }

    @Test("files that extend each other in a circle, or too many, are refused")
    func circles() {
        let circle = ScenarioFiles(files: ["a": "{\"extends\": \"b\"}", "b": "{\"extends\": \"a\"}"])
        #expect(circle.read("a").problems.contains { $0.message == "The files extend each other in a circle." })
        var files = ["0": "{\"apps\": [], \"devices\": [{}]}"]
        for number in 1...8 { files["\(number)"] = "{\"extends\": \"\(number - 1)\"}" }
        #expect(ScenarioFiles(files: files).read("7").problems == [])
        let tooMany = ScenarioFiles(files: files).read("8").problems
        #expect(tooMany.map(\.message).contains("More than 8 files extend each other."))
    }

    @Test("apps that are written anew have to be those that the extended file's events and devices are about")
    func inheritedNames() {
        let base = """
            {"apps": [{"app": "com.example.news"}], "devices": [{"refreshDisabled": ["com.example.news"]}],
             "events": [{"at": "08:00", "open": "com.example.news"}]}
            """
        let problems = ScenarioFiles(files: [
            "base": base, "more": "{\"extends\": \"base\", \"apps\": [{\"app\": \"com.example.mail\"}]}",
        ]).read("more").problems
        #expect(problems.map(\.key) == ["apps", "apps"])
        #expect(
            problems.map(\.message) == [
                "An event of the extended scenario is about com.example.news, which is missing here.",
                "The device prompt of the extended scenario switches com.example.news off, which is missing here.",
            ])
    }

    // MARK: Private

    /// A scenario of one device and one app, with more members.
    private func day(_ members: String) -> ScenarioReading {
        read(
            """
            {"devices": [{}], "apps": [{"app": "com.example.news", "tasks": [{"identifier": "com.example.news.refresh"}]}],
            \(members)}
            """)
    }
}
