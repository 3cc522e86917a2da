import BackgroundTasks
import os

private let logger = Logger(subsystem: "com.example.scheduler", category: "work")
private let refresh = "com.example.scheduler.refresh"
private let clean = "com.example.scheduler.clean"
private let export = "com.example.scheduler.export.photos"
private let isExportRegistered = OSAllocatedUnfairLock(initialState: false)

func startBackgroundWork() {
    BGTaskScheduler.shared.register(forTaskWithIdentifier: refresh, using: nil) { task in
        handleRefresh(task as! BGAppRefreshTask)
    }
    // On the main queue, which this handler keeps busy.
    BGTaskScheduler.shared.register(forTaskWithIdentifier: clean, using: .main) { task in
        handleClean(task as! BGProcessingTask)
    }
    scheduleRefresh()
}

private func scheduleRefresh() {
    let request = BGAppRefreshTaskRequest(identifier: refresh)
    request.earliestBeginDate = Date(timeIntervalSinceNow: 15 * 60)
    do {
        try BGTaskScheduler.shared.submit(request)
    } catch {
        logger.error("could not schedule: \(error.localizedDescription)")
    }
}

private func handleRefresh(_ task: BGAppRefreshTask) {
    scheduleRefresh()
    logger.info("refreshes \(task.identifier)")
    let work = Task {
        export(count: 400)
        task.setTaskCompleted(success: true)
    }
    task.expirationHandler = {
        work.cancel()
        task.setTaskCompleted(success: false)
    }
}

/// Goes on until it is expired, on the queue that it was registered with.
private func handleClean(_ task: BGProcessingTask) {
    let expired = DispatchSemaphore(value: 0)
    task.expirationHandler = { expired.signal() }
    expired.wait()
    logger.notice("stops cleaning")
    task.setTaskCompleted(success: false)
}

/// What a person's tap does: work that begins now, registered on demand at the first time.
private func export(count: Int64) {
    let isFirst = isExportRegistered.withLock { isRegistered in
        defer { isRegistered = true }
        return !isRegistered
    }
    if isFirst {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: export, using: nil) { task in
            handleExport(task as! BGContinuedProcessingTask, count: count)
        }
    }
    let request = BGContinuedProcessingTaskRequest(identifier: export, title: "Export", subtitle: "begins")
    request.strategy = .fail
    do {
        try BGTaskScheduler.shared.submit(request)
    } catch BGTaskScheduler.Error.immediateRunIneligible {
        logger.error("no room for the export")
    } catch {
        logger.error("could not export: \(error.localizedDescription)")
    }
}

private func handleExport(_ task: BGContinuedProcessingTask, count: Int64) {
    let expired = DispatchSemaphore(value: 0)
    task.expirationHandler = { expired.signal() }
    // The work counts in a child, which moves the task's own progress without a word.
    task.progress.totalUnitCount = 1
    let photos = Progress(totalUnitCount: count)
    task.progress.addChild(photos, withPendingUnitCount: 1)
    while photos.completedUnitCount < count, expired.wait(timeout: .now() + .milliseconds(50)) == .timedOut {
        photos.completedUnitCount += 1
        task.updateTitle("Export", subtitle: "\(photos.completedUnitCount) of \(count) photos")
    }
    task.setTaskCompleted(success: photos.isFinished)
}
