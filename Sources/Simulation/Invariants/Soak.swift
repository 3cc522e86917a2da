package import Scheduling

/// Random scenarios with faults, one after the other, held against the shadow model.
package struct Soak: Sendable {
    /// What one seed's days came to.
    package struct Outcome: Sendable {
        package var seed: UInt64
        package var days: Int
        package var events: Int
        package var launches: Int
        package var problems: [String]
    }

    /// The days of one scenario; after them come days without faults in which everything that waits must run.
    package static let daysOfScenario = 8
    private static let quietDays = 3

    /// Lives through the scenario of a seed.
    ///
    /// - Parameters:
    ///   - policy: that of the device, if not one by chance.
    ///   - schedulerPolicy: what the scheduler does otherwise than the shadow model believes, to see that it is seen.
    package static func live(
        seed: UInt64, policy: Policy? = nil, schedulerPolicy: (inout Policy) -> Void = { _ in }
    ) -> Outcome {
        var scenario = RandomScenario.make(seed: seed, days: daysOfScenario)
        if let policy { scenario.devices[0].policy = policy }
        var device = VirtualDevice(
            scenario, device: scenario.devices[0], seed: seed, recording: false,
            faults: RandomScenario.faults(seed: seed), schedulerPolicy: schedulerPolicy)
        device.live()
        device.check()
        device.calm(days: quietDays)
        return Outcome(
            seed: seed, days: daysOfScenario + quietDays, events: device.eventCount, launches: device.launchCount,
            problems: device.problems)
    }
}

extension VirtualDevice {
    /// With every condition good, everybody's apps opened and nothing going wrong, all that was pending runs.
    mutating func calm(days: Int) {
        isCalm = true
        if isOff { bootEnds() }
        feed(.overrideCleared(nil, call: nextCall()))
        let good: [ScenarioCondition] = [
            ScenarioCondition(.externalPower, .flag(true)), ScenarioCondition(.network, .network(.unmetered)),
            ScenarioCondition(.lowPowerMode, .flag(false)), ScenarioCondition(.batteryLevel, .level(1)),
            ScenarioCondition(.backgroundRefresh, .flag(true)), ScenarioCondition(.unlocked, .flag(true)),
            ScenarioCondition(.thermal, .thermal(.nominal)),
        ]
        set(good)
        report(DeviceCondition.allCases)
        for app in apps {
            setRefresh(app.scenario.app, on: true)
            feed(.quarantineLifted(app.scenario.app, call: nextCall()))
        }
        let newest = scheduler.pending(app: nil, after: 0, limit: 1_000).requests.map(\.submission).max() ?? 0
        let end = clock.time + Int64(days) * Self.day
        var nextOpen = clock.time
        while clock.time < end {
            let next = min(nextTime ?? end, nextOpen)
            clock.move(to: min(next, end))
            if clock.time >= nextOpen, clock.time < end {
                // In use for a while each few hours, then idle. Where events say when windows open, they come then.
                nextOpen += Duration.hours(4).wholeMilliseconds
                for app in apps { open(app.scenario.app) }
                if device.policy.windows == .given { openWindow(lasting: .minutes(10)) }
            } else if clock.time < end {
                step()
            }
        }
        check()
        for request in scheduler.pending(app: nil, after: 0, limit: 1_000).requests
        where request.submission <= newest
            && request.floor ?? request.submittedAt <= clock.now.wall.advanced(by: .days(-1))
        {
            let why = scheduler.explain(request.identifier, at: clock.now).summary
            note("\(request.identifier) has waited for ever: \(why)")
        }
    }
}
