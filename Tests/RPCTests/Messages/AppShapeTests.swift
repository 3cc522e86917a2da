import RPC
import Scheduling
import Testing

struct AppShapeTests {
    private let now = Moment(
        wall: Samples.moment, boot: BootTime(milliseconds: 0), awake: AwakeTime(milliseconds: 0))

    private func scheduler() throws -> Scheduler {
        var scheduler = Scheduler(policy: .prompt, boot: BootIdentifier("boot"), at: now)
        let app = try AppIdentifier("com.example")
        let task = TaskSettings(identifier: try TaskIdentifier("com.example.a"), kind: .processing, hasCommand: true)
        let description = AppDescription(
            app: app, host: .commands, permitted: [.exact(task.identifier), .prefix("com.example.x.")],
            modes: [.processing], tasks: [task])
        _ = scheduler.handle(.appLoaded(description), at: now)
        _ = scheduler.handle(.loadingFinished, at: now)
        return scheduler
    }

    @Test("a registered identifier says what permits it")
    func registered() throws {
        let entry = try #require(try scheduler().registered.first)
        #expect(
            Samples.text { $0.value(entry) }
                == #"{"identifier":"com.example.a","app":"com.example","kind":"processing","handler":"commands","#
                + #""permittedBy":"com.example.a"}"#)
    }

    @Test("an app shows its manifest's entries, and a process only where it has one")
    func app() throws {
        let app = try #require(try scheduler().allApps.first)
        #expect(
            Samples.text { $0.value(app, bundle: "/p/a.plugin") }
                == #"{"app":"com.example","bundle":"/p/a.plugin","state":"launched","#
                + #""permitted":["com.example.a","com.example.x.*"],"registered":1,"restarts":0,"diagnostics":[]}"#)
        #expect(
            Samples.text { $0.value(app, bundle: nil, process: 41, restarts: 2) }
                == #"{"app":"com.example","state":"launched","process":41,"#
                + #""permitted":["com.example.a","com.example.x.*"],"registered":1,"restarts":2,"diagnostics":[]}"#)
    }

    @Test("an app whose process failed says why, and when it may be started again")
    func failure() throws {
        var app = try #require(try scheduler().allApps.first)
        app.lastFailure = "it exited with status 3"
        let again = WallTime(milliseconds: 1_796_025_604_000)
        #expect(
            Samples.text { $0.value(app, bundle: nil, startsAgainAt: again) }.contains(
                #""failure":"it exited with status 3","startsAgainAt":"2026-11-30T08:00:04.000Z","#))
        app.facts.quarantinedAt = again
        app.facts.quarantineReason = "5 failures"
        let text = Samples.text { $0.value(app, bundle: nil) }
        #expect(text.contains(#""failure":"5 failures","diagnostics""#), "\(text)")
    }

    @Test("what holds an app back is its state")
    func states() throws {
        var scheduler = try scheduler()
        let identifier = try AppIdentifier("com.example")
        func state() throws -> String? {
            let app = try #require(scheduler.allApps.first)
            let text = Samples.text { $0.value(app, bundle: nil) }
            return try JSONDocument.parse(Array(text.utf8)).root["state"]?.string
        }
        _ = scheduler.handle(.paused(app: identifier, call: CallIdentifier(1)), at: now)
        #expect(try state() == "paused")
        _ = scheduler.handle(.resumed(app: identifier, call: CallIdentifier(2)), at: now)
        #expect(try state() == "launched")
        _ = scheduler.handle(.appRemoved(identifier), at: now)
        #expect(try state() == "missing")
    }
}
