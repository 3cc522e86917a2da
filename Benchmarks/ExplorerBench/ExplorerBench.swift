import HandlerFixtures
import Plugins
import RunnerTesting

/// Explores the handlers of the fixtures, and prints what came of it as one line of JSON.
@main
struct ExplorerBench {
    static func main() async throws {
        let manifest = try Manifest(
            identifier: "com.example.app", permittedIdentifiers: [HandlerFixture.identifier],
            backgroundModes: ["fetch"])
        let explorer = ExpiryExplorer(manifest: manifest)
        var found = 0
        for fixture in HandlerFixture.all {
            let report = try await explorer.explore(
                HandlerFixture.identifier, setUp: HandlerFixture.setUp(fixture.broken))
            if report.findings.contains(where: { $0.kind == fixture.kind }) { found += 1 }
        }
        var (moments, alarms) = (0, 0)
        var duration = Duration.zero
        for fixture in HandlerFixture.all {
            let report = try await explorer.explore(
                HandlerFixture.identifier, setUp: HandlerFixture.setUp(fixture.repaired))
            if !report.findings.isEmpty { alarms += 1 }
            moments += report.moments
            duration += report.duration
        }
        let clock = ContinuousClock()
        let lives = 300
        let bare = try await clock.measure {
            for _ in 0..<lives { try await Self.bareLife(manifest) }
        }
        print(
            """
            {"bugs": \(HandlerFixture.all.count), "found": \(found), "twins": \(HandlerFixture.all.count), \
            "alarms": \(alarms), "moments": \(moments), "momentsPerSecond": \(Double(moments) / seconds(duration)), \
            "livesPerSecond": \(Double(lives) / seconds(bare))}
            """)
    }

    /// The least that a life can be: a handler that completes at once, without an expiration.
    private static func bareLife(_ manifest: Manifest) async throws {
        let scheduler = VirtualScheduler(manifest: manifest)
        try scheduler.register(HandlerFixture.identifier) { (task: LaunchedTask) in
            task.setTaskCompleted(success: true)
        }
        scheduler.finishLaunching()
        _ = try await scheduler.simulateLaunch(HandlerFixture.identifier, submit: true).end()
    }

    private static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }
}
