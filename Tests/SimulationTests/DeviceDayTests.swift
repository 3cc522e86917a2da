import FoundationEssentials
import Plugins
import Scheduling
import Testing

@testable import Simulation

@Suite("The published day")
struct DeviceDayTests {
    /// A scenario of `examples/scenarios`.
    static func scenario(_ name: String) throws -> Scenario {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "examples/scenarios")
        let reading = ScenarioReading.read(folder.appending(path: "\(name).json").path) {
            path throws(ManifestProblem) in
            guard let data = FileManager.default.contents(atPath: path) else {
                throw ManifestProblem(
                    .error, .unreadable, file: path, message: "There is no such file.", fix: "Write it.")
            }
            return [UInt8](data)
        }
        #expect(reading.problems == [])
        return try #require(reading.scenario)
    }

    /// One of the two devices, after the days.
    private struct Lived {
        let report: DeviceReport

        init(_ scenario: Scenario, _ device: String) throws {
            report = try #require(VirtualDay.live(scenario).first { $0.lane.name == device })
            #expect(report.problems == [])
        }

        /// `14:20`, `day 2 00:30`.
        func text(_ time: WallTime) -> String {
            let seconds = report.start.duration(to: time).wholeMilliseconds / 1_000
            let clock = ScenarioTime.text(timeOfDay: .seconds(seconds % 86_400))
            return seconds < 86_400 ? clock : "day \(seconds / 86_400 + 1) \(clock)"
        }

        func lane(_ identifier: String) throws -> TaskLane {
            try #require(report.lane.tasks.first { $0.identifier == identifier })
        }

        func grants(_ identifier: String) throws -> [String] {
            try lane(identifier).grants.map { text($0.startedAt) }
        }

        func syncs(_ cause: SyncReport.Cause? = nil, before end: String = "day 2") -> [String] {
            report.syncs.filter { $0.app.text == "com.example.news" && (cause == nil || $0.cause == cause) }.map {
                text($0.at)
            }.filter { $0 < end }
        }

        var pushes: [String] {
            report.pushes.map { push in
                switch push.fate {
                case .held: "\(text(push.sentAt)) held"
                case .delivered(let at): "\(text(push.sentAt)) delivered \(text(at))"
                case .superseded(let at): "\(text(push.sentAt)) superseded \(text(at))"
                case .discarded(let at, let reason): "\(text(push.sentAt)) discarded \(text(at)), \(reason)"
                }
            }
        }
    }

    @Test("the refresh is granted in the window of 14:20, when the open of 13:05 had synced already")
    func refresh() throws {
        let phone = try Lived(Self.scenario("device-day"), "phone")
        #expect(try phone.grants("com.example.news.refresh") == ["14:20"])
        let request = try #require(phone.lane("com.example.news.refresh").requests.first)
        #expect(request.holds.map(\.gate) == ["earliestBeginDate", "window"])
        #expect(request.holds.map(\.milliseconds) == [900_000, 20_100_000] as [Int64])
        #expect(phone.syncs(before: "15").contains("13:05"))
        #expect(phone.syncs(.refresh) == ["14:20:20"], "when the run has succeeded")
    }

    @Test("with the refresh switch off there is no refresh, so that after 13:05 the sync waits for the open of 21:30")
    func refreshOff() throws {
        let phone = try Lived(Self.scenario("device-day-refresh-off"), "phone")
        #expect(try phone.grants("com.example.news.refresh") == [])
        let syncs = phone.syncs()
        let noon = try #require(syncs.firstIndex(of: "13:05"))
        #expect(syncs.dropFirst(noon + 1).first == "21:30")
    }

    @Test("a force quit at 15:00 leaves the refresh of 14:20 as the last, and discards the push of 16:45")
    func forceQuit() throws {
        let phone = try Lived(Self.scenario("device-day-force-quit"), "phone")
        #expect(try phone.grants("com.example.news.refresh") == ["14:20"])
        #expect(phone.pushes.prefix(2) == ["09:15 superseded 11:00", "11:00 delivered 13:05"])
        #expect(phone.pushes.last?.hasPrefix("16:45 discarded 16:45, ") == true, "\(phone.pushes)")
    }

    @Test("no window after the quit grants what is asked then; an open lifts it")
    func forceQuitHolds() throws {
        var scenario = try Self.scenario("device-day-force-quit")
        let task = TaskIdentifier(checked: "com.example.news.refresh")
        scenario.events.append(
            ScenarioEvent(
                at: .minutes(14 * 60 + 45), days: 1...1,
                .submit(TaskRequest(identifier: task), floor: nil, .replace)))
        // In the window of 23:10, since the app is opened at 21:30.
        #expect(try Lived(scenario, "phone").grants(task.text) == ["14:20", "23:10"])

        scenario.events.removeAll {
            $0.at > .hours(15) && $0.action == .open(AppIdentifier(checked: "com.example.news"))
        }
        let phone = try Lived(scenario, "phone")
        let grants = try phone.grants(task.text)
        #expect(!grants.contains("19:35") && !grants.contains("23:10"))
        let held = try #require(phone.lane(task.text).requests.max { $0.submittedAt < $1.submittedAt })
        #expect(held.holds.contains { $0.gate == "forceQuit" }, "\(held.holds)")
    }

    @Test("of the pushes of 09:15 and 11:00 the newer one is delivered at 13:05")
    func pushes() throws {
        let phone = try Lived(Self.scenario("device-day"), "phone")
        #expect(phone.pushes.prefix(2) == ["09:15 superseded 11:00", "11:00 delivered 13:05"])
        #expect(phone.pushes.count == 3)
    }

    @Test("processing that needs external power is granted when there is some, at 00:30 the next day")
    func processing() throws {
        let phone = try Lived(Self.scenario("device-day"), "phone")
        #expect(try phone.grants("com.example.news.cleanup") == ["day 2 00:30"])
        let request = try #require(phone.lane("com.example.news.cleanup").requests.first)
        #expect(phone.text(request.submittedAt) == "08:45")
        #expect(request.holds.contains { $0.gate == "externalPower" })
    }

    @Test("deferrable work that is enqueued at 23:00 runs in the maintenance window of 02:10, charging or not")
    func deferrable() throws {
        var scenario = try Self.scenario("device-day")
        #expect(try Lived(scenario, "tablet").grants("com.example.photos.upload") == ["day 2 02:10"])
        scenario.events.removeAll {
            if case .setCondition(let condition) = $0.action { condition.condition == .externalPower } else { false }
        }
        #expect(try Lived(scenario, "tablet").grants("com.example.photos.upload") == ["day 2 02:10"])
    }

    @Test("a period of 5 minutes is clamped to 15, and said so")
    func period() throws {
        let tablet = try Lived(Self.scenario("device-day"), "tablet")
        let clamped = tablet.report.diagnostics.filter { $0.name == .periodClamped }
        #expect(clamped.map(\.identifier?.text) == ["com.example.photos.scan"])
        #expect(clamped.first?.message.contains("15") == true, "\(clamped)")
        let grants = try tablet.lane("com.example.photos.scan").grants
        #expect(!grants.isEmpty)
        for (first, second) in zip(grants, grants.dropFirst()) {
            #expect(first.startedAt.duration(to: second.startedAt) >= .minutes(15))
        }
    }

    @Test("the day is the same whenever it is lived")
    func again() throws {
        let scenario = try Self.scenario("device-day")
        #expect(VirtualDay.live(scenario) == VirtualDay.live(scenario))
    }
}
