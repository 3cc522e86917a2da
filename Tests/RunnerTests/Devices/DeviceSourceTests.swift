import Platform
import Scheduling
import SystemPlatform
import TestSupport
import Testing

@testable import Runner

@Suite("Sources of device conditions", .timeLimit(.minutes(1)))
struct DeviceSourceTests {
    /// What a source reported, and what its descriptor number is.
    private final class Reports {
        var events: [Event] = []
        var conditions: [DeviceCondition: ConditionValue?] {
            var conditions: [DeviceCondition: ConditionValue?] = [:]
            for case .conditionReported(let condition, let value, _, _, _) in events { conditions[condition] = value }
            return conditions
        }
    }

    @Test("power comes from the kernel's folder, with the present values first")
    func power() throws {
        let folder = TemporaryFolder()
        try folder.write("Mains\n", to: "AC/type")
        try folder.write("0\n", to: "AC/online")
        try folder.write("Battery\n", to: "BAT0/type")
        try folder.write("System\n", to: "BAT0/scope")
        try folder.write("1\n", to: "BAT0/present")
        try folder.write("Discharging\n", to: "BAT0/status")
        try folder.write("42\n", to: "BAT0/capacity")
        let source = PowerSource(on: try EventLoop(), root: folder.path)
        let reports = Reports()
        try source.start { reports.events.append($0) }
        #expect(reports.conditions[.externalPower] == .flag(false))
        #expect(reports.conditions[.batteryLevel] == .level(0.42))
        source.stop()
    }

    @Test("without a battery nothing is known of power, and the stated rule holds")
    func noBattery() throws {
        let folder = TemporaryFolder()
        let source = PowerSource(on: try EventLoop(), root: folder.path)
        let reports = Reports()
        try source.start { reports.events.append($0) }
        #expect(reports.conditions[.externalPower] == .some(nil))
        #expect(reports.conditions[.batteryLevel] == .some(nil))
        source.stop()
    }

    @Test("the network is reported at the start, as the kernel has it")
    func network() throws {
        let source = NetworkSource(on: try EventLoop())
        let reports = Reports()
        try source.start { reports.events.append($0) }
        let expected: NetworkState = try NetworkLinks.read().hasDefaultRoute ? .unmetered : .none
        #expect(reports.conditions[.network] == .network(expected))
        source.stop()
    }

    @Test("a source that was stopped can be stopped again, and started again")
    func restarts() throws {
        let loop = try EventLoop()
        let folder = TemporaryFolder()
        let sources: [any DeviceSource] = [
            ClockSource(on: loop), PowerSource(on: loop, root: folder.path), NetworkSource(on: loop),
        ]
        for source in sources {
            let reports = Reports()
            for _ in 0..<3 {
                reports.events = []
                try source.start { reports.events.append($0) }
                #expect(reports.events.isEmpty == (source is ClockSource))
                source.stop()
                source.stop()
            }
        }
    }

    @Test("a source that cannot be read any more says that it is lost, once it is asked")
    func engineSources() async throws {
        let fixture = try EngineFixture()
        await fixture.feed(
            .conditionReported(.network, .network(.unmetered), source: "tests", validFor: nil, call: nil))
        await fixture.feed(.sourceLost("tests"))
        let before = await fixture.engine.scheduler.deviceReadings(at: fixture.clock.now())
        #expect(before.first { $0.condition == .network }?.value == .network(.unmetered))
        await fixture.advance(by: .seconds(60))
        let after = await fixture.engine.scheduler.deviceReadings(at: fixture.clock.now())
        #expect(after.first { $0.condition == .network }?.value == nil)
    }
}
