import BackgroundTasks
import Platform
import Plugins
import RunnerTesting
import Testing

/// An app as its author writes it for iOS: nothing in it knows of the test kit.
private final class App: Sendable {
    static let refresh = "com.example.app.refresh"
    let isSyncing: Bool
    let classes = Locked<[String]>([])

    init(isSyncing: Bool = true) {
        self.isSyncing = isSyncing
    }

    static let registrationLine = #line + 2
    func registerTasks() {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: Self.refresh, using: nil) { task in
            self.classes.withLock { $0.append("\(type(of: task))") }
            self.handle(task as! BGAppRefreshTask)
        }
    }

    func schedule() throws {
        let request = BGAppRefreshTaskRequest(identifier: Self.refresh)
        request.earliestBeginDate = Date(timeIntervalSinceNow: 15 * 60)
        try BGTaskScheduler.shared.submit(request)
    }

    private func handle(_ task: BGAppRefreshTask) {
        try? schedule()
        let work = Task {
            if isSyncing { try? await Task.sleep(for: .seconds(10)) }
            task.setTaskCompleted(success: !Task.isCancelled)
        }
        task.expirationHandler = { work.cancel() }
    }
}

extension TestKitTests {
    @Suite("BGTaskScheduler.shared in virtual time")
    struct BackgroundTasksTests {
        @Test("an app refresh runs every quarter of an hour and re-arms itself, for a day")
        func aDay() async throws {
            try await withVirtualScheduler(manifest: VirtualSchedulerTests.manifest()) { scheduler in
                let app = App()
                app.registerTasks()
                scheduler.finishLaunching()
                try app.schedule()
                await scheduler.advance(by: .seconds(24 * 3_600))
                // 15 minutes to each floor, which counts from the start of the run before.
                #expect(scheduler.history.count == 96 || scheduler.history.count == 95)
                #expect(Set(app.classes.withLock { $0 }) == ["BGAppRefreshTask"])
                for run in scheduler.history {
                    run.expectCompleted(within: .seconds(11))
                    run.expectCompletedOnce()
                }
                scheduler.expectRearmed(App.refresh)
                scheduler.expectNeverPostponed(App.refresh)
            }
        }

        @Test("a request is submitted with the floor that the app asked for, and a simulated launch runs it now")
        func floor() async throws {
            try await withVirtualScheduler(manifest: VirtualSchedulerTests.manifest()) { scheduler in
                let app = App()
                app.registerTasks()
                scheduler.finishLaunching()
                try app.schedule()
                scheduler.expectSubmitted(App.refresh, after: .seconds(900))
                let run = try await scheduler.simulateLaunch(App.refresh)
                try await scheduler.simulateExpiration(App.refresh)
                let report = try await run.end()
                #expect(report.outcome == .failed)
                #expect(report.expirationReason == .simulated)
                scheduler.expectRearmed(App.refresh)
            }
        }

        @Test("an iOS handler that keeps all rules is explored without a finding")
        func explored() async throws {
            let explorer = ExpiryExplorer(manifest: try VirtualSchedulerTests.manifest())
            let report = try await explorer.explore(App.refresh) { _ in App().registerTasks() }
            report.expectNoFindings()
            #expect(report.moments > 4)
        }

        @Test("what ends an app on iOS is an issue of the test")
        func misuse() async throws {
            let manifest = try VirtualSchedulerTests.manifest()
            await withKnownIssue {
                await withVirtualScheduler(manifest: manifest) { scheduler in
                    App().registerTasks()
                    App().registerTasks()
                    scheduler.finishLaunching()
                }
            } matching: { issue in
                issue.comments.contains { $0.rawValue.contains("has already been registered") }
                    && issue.sourceLocation?.fileName == "BackgroundTasksTests.swift"
                    && issue.sourceLocation?.line == App.registrationLine
            }
        }

        @Test("without a virtual scheduler around it, the test has the scheduler of its process again")
        func restored() async throws {
            let inner = try await withVirtualScheduler(manifest: VirtualSchedulerTests.manifest()) { _ in
                BGTaskScheduler.shared
            }
            #expect(BGTaskScheduler.current == nil)
            // Another test may have one meanwhile.
            #expect(BGTaskScheduler.fallback.withLock { $0 } !== inner)
        }
    }
}
