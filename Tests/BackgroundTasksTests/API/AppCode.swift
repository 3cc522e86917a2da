// What apps write around the framework, compiled in both modes as Surface.swift is.
import BackgroundTasks

/// A seam for tests of an app, as many write it.
protocol TaskScheduling {
    @discardableResult
    func register(
        forTaskWithIdentifier identifier: String, using queue: DispatchQueue?,
        launchHandler: @escaping (BGTask) -> Void
    ) -> Bool
    func submit(_ taskRequest: BGTaskRequest) throws
    func cancel(taskRequestWithIdentifier identifier: String)
    func cancelAllTaskRequests()
    func getPendingTaskRequests(completionHandler: @escaping @Sendable ([BGTaskRequest]) -> Void)
    func pendingTaskRequests() async -> [BGTaskRequest]
}

extension BGTaskScheduler: TaskScheduling {}

/// The seam's other side.
final class RecordedScheduler: TaskScheduling {
    private(set) var submitted: [BGTaskRequest] = []
    private(set) var handlers: [String: (BGTask) -> Void] = [:]

    func register(
        forTaskWithIdentifier identifier: String, using queue: DispatchQueue?,
        launchHandler: @escaping (BGTask) -> Void
    ) -> Bool {
        handlers[identifier] = launchHandler
        return true
    }

    func submit(_ taskRequest: BGTaskRequest) throws {
        if submitted.count == 10 { throw BGTaskScheduler.Error(.tooManyPendingTaskRequests) }
        submitted.append(taskRequest)
    }

    func cancel(taskRequestWithIdentifier identifier: String) {}
    func cancelAllTaskRequests() { submitted = [] }
    func getPendingTaskRequests(completionHandler: @escaping @Sendable ([BGTaskRequest]) -> Void) {
        completionHandler(submitted)
    }
    func pendingTaskRequests() async -> [BGTaskRequest] { submitted }
}

/// A delegate's part, as tutorials write it.
final class BackgroundWork: @unchecked Sendable {
    private let operations = OperationQueue()
    private let scheduler: any TaskScheduling = BGTaskScheduler.shared

    func launch() {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.example.refresh", using: nil) { task in
            self.handleAppRefresh(task: task as! BGAppRefreshTask)
        }
        BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.example.clean", using: .main) { [weak self] task in
            guard let task = task as? BGProcessingTask else { return }
            self?.clean(task)
        }
        scheduler.register(forTaskWithIdentifier: "com.example.mocked", using: nil) { task in
            task.setTaskCompleted(success: true)
        }
    }

    func scheduleAppRefresh() {
        let request = BGAppRefreshTaskRequest(identifier: "com.example.refresh")
        request.earliestBeginDate = Date(timeIntervalSinceNow: 15 * 60)
        do {
            try BGTaskScheduler.shared.submit(request)
        } catch {
            print("Could not schedule app refresh: \(error)")
        }
    }

    func handleAppRefresh(task: BGAppRefreshTask) {
        scheduleAppRefresh()
        let work = Task {
            try await self.refresh()
            task.setTaskCompleted(success: true)
        }
        task.expirationHandler = {
            work.cancel()
            task.setTaskCompleted(success: false)
        }
    }

    func refresh() async throws {}

    func clean(_ task: BGProcessingTask) {
        let operation = BlockOperation {}
        task.expirationHandler = { operation.cancel() }
        operation.completionBlock = { task.setTaskCompleted(success: !operation.isCancelled) }
        operations.addOperation(operation)
    }
}

/// A main-actor model that hands its task over to Swift concurrency.
@MainActor
final class Exporter {
    var exported = 0

    func begin() throws {
        let identifier = "com.example.export." + UUID().uuidString
        BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: .main) { task in
            guard let task = task as? BGContinuedProcessingTask else { return }
            let work = Task { @MainActor in
                while self.exported < 10 {
                    self.exported += 1
                    task.progress.completedUnitCount = Int64(self.exported)
                    task.updateTitle("Export", subtitle: "\(self.exported) of 10")
                    await Task.yield()
                }
                task.setTaskCompleted(success: true)
            }
            task.expirationHandler = {
                work.cancel()
                task.setTaskCompleted(success: false)
            }
        }
        let request = BGContinuedProcessingTaskRequest(identifier: identifier, title: "Export", subtitle: "Begins")
        request.strategy = .fail
        try BGTaskScheduler.shared.submit(request)
    }
}
