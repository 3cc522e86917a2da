import Scheduling
import Simulation
import Testing

/// What pushes, fetches and transfers do on a device, hour by hour.
@Suite("The neighbours of the scheduler on a virtual device")
struct NeighbourDayTests {
    private static let app = AppIdentifier(checked: "com.example.app")

    /// What came of a day with these events, at minutes since midnight.
    private static func day(
        _ policy: Policy, conditions: [ScenarioCondition] = [], fetches: Bool = false,
        pushTakes: Duration = .seconds(5),
        _ events: [(Int, ScenarioAction)]
    ) throws -> DeviceReport {
        var scenario = Scenario(name: "neighbours", start: WallTime(milliseconds: 1_772_409_600_000))
        var app = ScenarioApp(app)
        app.pushTakes = pushTakes
        if fetches {
            app.fetch = ScenarioFetch(minimumInterval: .minutes(60), takes: .seconds(5), newData: 1, fails: 0)
        }
        scenario.apps = [app]
        var device = ScenarioDevice(name: "device", policy: policy)
        device.conditions = conditions
        scenario.devices = [device]
        scenario.events = events.map { ScenarioEvent(at: .minutes($0), $1) }
        return try #require(VirtualDay.live(scenario).first)
    }

    private static func minute(_ time: WallTime?) -> Int64? {
        time.map { WallTime(milliseconds: 1_772_409_600_000).duration(to: $0).wholeMilliseconds / 60_000 }
    }

    /// When each push was delivered; `nil` when it was not.
    private static func deliveries(_ report: DeviceReport) -> [Int64?] {
        report.pushes.map { push in
            if case .delivered(let at) = push.fate { minute(at) } else { nil }
        }
    }

    private static var givenDoze: Policy {
        var parameters = DozeParameters()
        parameters.windows = .given
        return .doze(parameters)
    }

    @Test("a fetch that is due delivers no push outside of a window")
    func fetchIsNoWindow() throws {
        let report = try Self.day(
            Self.givenDoze,
            conditions: [
                ScenarioCondition(.idle, .flag(false)), ScenarioCondition(.externalPower, .flag(false)),
            ], fetches: true,
            [
                (10, .push(Self.app)), (20, .setCondition(ScenarioCondition(.idle, .flag(true)))),
                (30, .push(Self.app)), (180, .openWindow(.minutes(5))),
            ])
        #expect(Self.deliveries(report) == [10, 180])
        #expect(report.fetches.map { Self.minute($0.at) } == [10, 180])
    }

    @Test("a device that is off delivers nothing and fetches nothing, until it is on again")
    func offIsOff() throws {
        let report = try Self.day(
            .prompt, fetches: true,
            [(10, .push(Self.app)), (15, .push(Self.app)), (20, .reboot(off: .minutes(180)))])
        #expect(Self.deliveries(report) == [10, 200])
        #expect(report.fetches.prefix(3).map { Self.minute($0.at) } == [10, 200, 260])
    }

    @Test("a reboot brings no fetch earlier")
    func rebootKeepsIntervals() throws {
        let report = try Self.day(
            .prompt, fetches: true, [(10, .push(Self.app)), (20, .reboot(off: .minutes(1)))])
        #expect(report.fetches.prefix(2).map { Self.minute($0.at) } == [10, 70])
    }

    @Test("a transfer goes on where a reboot has stopped it, and wakes its app after the first unlock")
    func transfersWaitForTheUnlock() throws {
        let report = try Self.day(
            .apple(),
            conditions: [
                ScenarioCondition(.externalPower, .flag(true)), ScenarioCondition(.network, .network(.unmetered)),
            ],
            [
                (10, .transfer(Self.app, takes: .minutes(60))), (30, .reboot(off: .minutes(10))),
                (120, .setCondition(ScenarioCondition(.unlocked, .flag(true)))),
            ])
        #expect(report.transfers.map { Self.minute($0.endedAt) } == [80])
        #expect(report.wakes.filter { $0.causes.contains(.transfer) }.map { Self.minute($0.at) } == [120])
    }

    @Test("the device's own refresh switch stops pushes and fetches, and an app's stays off under it")
    func deviceSwitch() throws {
        func off(_ isOff: Bool) -> ScenarioAction {
            .setCondition(ScenarioCondition(.backgroundRefresh, .flag(!isOff)))
        }
        let report = try Self.day(
            .prompt, fetches: true,
            [
                (5, off(true)), (10, .push(Self.app)), (20, off(false)), (30, .push(Self.app)),
                (40, .refreshSwitch(Self.app, on: false)), (50, off(true)), (60, off(false)), (70, .push(Self.app)),
            ])
        #expect(Self.deliveries(report) == [nil, 30, nil])
        #expect(report.fetches.map { Self.minute($0.at) } == [20])
        let atFirst = try Self.day(
            .prompt, conditions: [ScenarioCondition(.backgroundRefresh, .flag(false))], fetches: true,
            [(10, .push(Self.app))])
        #expect(Self.deliveries(atFirst) == [nil])
        #expect(atFirst.fetches.isEmpty)
    }

    @Test("a push keeps its app awake for as long as it takes", arguments: [(5, 2), (30, 1)])
    func pushesTakeTime(minutes: Int, wakes: Int) throws {
        let report = try Self.day(
            .prompt, pushTakes: .minutes(minutes), [(10, .push(Self.app)), (35, .push(Self.app))])
        #expect(Self.deliveries(report) == [10, 35])
        #expect(report.wakes.count == wakes)
    }
}
