// One call of every declaration of the compatible surface, as ordinary code for iOS writes it. It says `import
// BackgroundTasks` only, is compiled in Swift 6 mode and in Swift 5 mode (../../BackgroundTasksSwift5Tests links here),
// and is never run. `// API: …` marks a declaration of the surface; `SurfaceTests` compares these marks with the surface.
import BackgroundTasks

enum Surface {
    // MARK: The scheduler

    static func scheduler() {
        // API: BGTaskScheduler
        let object: NSObject = BGTaskScheduler.shared
        _ = object
        // API: BGTaskScheduler.shared
        let scheduler: BGTaskScheduler = BGTaskScheduler.shared
        // API: BGTaskScheduler.supportedResources
        let resources: BGContinuedProcessingTaskRequest.Resources = BGTaskScheduler.supportedResources
        _ = resources.contains(.gpu)
        // API: BGTaskScheduler.register(forTaskWithIdentifier:using:launchHandler:)
        scheduler.register(forTaskWithIdentifier: "a", using: nil) { task in task.setTaskCompleted(success: true) }
        let queue: dispatch_queue_t? = DispatchQueue.main
        let isRegistered: Bool = scheduler.register(
            forTaskWithIdentifier: "a", using: queue, launchHandler: { (task: BGTask) -> Void in _ = task })
        _ = isRegistered
        let method: (String, dispatch_queue_t?, @escaping (BGTask) -> Void) -> Bool =
            scheduler.register(forTaskWithIdentifier:using:launchHandler:)
        _ = method
        // API: BGTaskScheduler.cancel(taskRequestWithIdentifier:)
        scheduler.cancel(taskRequestWithIdentifier: "a")
        // API: BGTaskScheduler.cancelAllTaskRequests()
        scheduler.cancelAllTaskRequests()
        // API: BGTaskScheduler.getPendingTaskRequests(completionHandler:)
        scheduler.getPendingTaskRequests { requests in print(requests.map(\.identifier)) }
        scheduler.getPendingTaskRequests(completionHandler: { (requests: [BGTaskRequest]) in _ = requests.count })
        // API: BGTaskScheduler.errorDomain
        let domain: String = BGTaskScheduler.errorDomain
        _ = domain
    }

    static func submitting(_ request: BGTaskRequest) async throws {
        // API: BGTaskScheduler.submit(_:)
        try BGTaskScheduler.shared.submit(request)
        try? BGTaskScheduler.shared.submit(request)
        let method: (BGTaskRequest) throws -> Void = BGTaskScheduler.shared.submit(_:)
        _ = method
        // API: BGTaskScheduler.submitTaskRequest(_:completionHandler:)
        BGTaskScheduler.shared.submitTaskRequest(request) { error in print(error?.localizedDescription ?? "submitted") }
        // API: BGTaskScheduler.submitTaskRequest(_:)
        try await BGTaskScheduler.shared.submitTaskRequest(request)
        // API: BGTaskScheduler.pendingTaskRequests()
        let pending: [BGTaskRequest] = await BGTaskScheduler.shared.pendingTaskRequests()
        _ = pending
    }

    // MARK: Errors

    static func errors(_ request: BGTaskRequest) {
        do {
            try BGTaskScheduler.shared.submit(request)
        } catch BGTaskScheduler.Error.notPermitted {
            // API: BGTaskScheduler.Error.notPermitted
        } catch BGTaskScheduler.Error.tooManyPendingTaskRequests {
            // API: BGTaskScheduler.Error.tooManyPendingTaskRequests
        } catch BGTaskScheduler.Error.unavailable {
            // API: BGTaskScheduler.Error.unavailable
        } catch BGTaskScheduler.Error.immediateRunIneligible {
            // API: BGTaskScheduler.Error.immediateRunIneligible
        } catch let error as BGTaskScheduler.Error where error.code == .unavailable {
            print(error.localizedDescription)
        } catch {
            print((error as NSError).code, (error as NSError).domain, error.localizedDescription)
        }
        // API: BGTaskScheduler.Error
        let error = BGTaskScheduler.Error(.notPermitted)
        // API: BGTaskScheduler.Error: CustomNSError, Hashable, Error, Sendable
        func requiresConformances<E: CustomNSError & Hashable & Error & Sendable>(_ error: E) {}
        requiresConformances(error)
        // API: BGTaskScheduler.Error.init(_:userInfo:)
        _ = BGTaskScheduler.Error(.unavailable, userInfo: [NSLocalizedDescriptionKey: "Later."])
        // API: BGTaskScheduler.Error.code
        let code: BGTaskScheduler.Error.Code = error.code
        // API: BGTaskScheduler.Error.userInfo
        let info: [String: Any] = error.userInfo
        // API: BGTaskScheduler.Error.errorCode
        let number: Int = error.errorCode
        // API: BGTaskScheduler.Error.errorUserInfo
        let errorInfo: [String: Any] = error.errorUserInfo
        _ = (info, number, errorInfo, BGTaskScheduler.Error.errorDomain)
        // API: BGTaskScheduler.Error.Code
        switch code {
        // API: BGTaskScheduler.Error.Code.unavailable
        case .unavailable: break
        // API: BGTaskScheduler.Error.Code.tooManyPendingTaskRequests
        case .tooManyPendingTaskRequests: break
        // API: BGTaskScheduler.Error.Code.notPermitted
        case .notPermitted: break
        // API: BGTaskScheduler.Error.Code.immediateRunIneligible
        case .immediateRunIneligible: break
        @unknown default: break
        }
    }

    // MARK: Tasks

    static func tasks(_ task: BGTask) {
        // API: BGTask
        let object: NSObject = task
        _ = object
        // API: BGTask.identifier
        let identifier: String = task.identifier
        _ = identifier
        // API: BGTask.expirationHandler
        task.expirationHandler = { task.setTaskCompleted(success: false) }
        let handler: (() -> Void)? = task.expirationHandler
        _ = handler
        task.expirationHandler = nil
        // API: BGTask.setTaskCompleted(success:)
        task.setTaskCompleted(success: true)
        // API: BGAppRefreshTask
        let refresh = task as! BGAppRefreshTask
        _ = refresh as BGTask
        // API: BGProcessingTask
        if let processing = task as? BGProcessingTask { processing.setTaskCompleted(success: true) }
        // API: BGHealthResearchTask
        if let research = task as? BGHealthResearchTask { _ = research as BGProcessingTask }
        switch task {
        case is BGProcessingTask: break
        default: break
        }
    }

    static func continuedTasks(_ task: BGTask) {
        // API: BGContinuedProcessingTask
        guard let task = task as? BGContinuedProcessingTask else { return }
        // API: BGContinuedProcessingTask: ProgressReporting
        let reporting: any ProgressReporting = task
        _ = reporting.progress
        // API: BGContinuedProcessingTask.title
        let title: String = task.title
        // API: BGContinuedProcessingTask.subtitle
        let subtitle: String = task.subtitle
        // API: BGContinuedProcessingTask.updateTitle(_:subtitle:)
        task.updateTitle(title, subtitle: subtitle + "…")
        // API: BGContinuedProcessingTask.progress
        let progress: Progress = task.progress
        progress.totalUnitCount = 100
        progress.completedUnitCount += 1
        progress.addChild(Progress(totalUnitCount: 10), withPendingUnitCount: 50)
    }

    // MARK: Requests

    static func requests() {
        // API: BGAppRefreshTaskRequest.init(identifier:)
        let refresh = BGAppRefreshTaskRequest(identifier: "a")
        // API: BGAppRefreshTaskRequest
        // API: BGTaskRequest
        let request: BGTaskRequest = refresh
        // API: BGTaskRequest: NSCopying
        let copying: any NSCopying = request
        _ = copying.copy(with: nil) as! BGTaskRequest
        _ = request.copy() as? BGAppRefreshTaskRequest
        // API: BGTaskRequest.identifier
        let identifier: String = request.identifier
        _ = identifier
        // API: BGTaskRequest.earliestBeginDate
        request.earliestBeginDate = Date(timeIntervalSinceNow: 15 * 60)
        request.earliestBeginDate = nil
        let date: Date? = request.earliestBeginDate
        _ = date
        // API: BGProcessingTaskRequest
        // API: BGProcessingTaskRequest.init(identifier:)
        let processing = BGProcessingTaskRequest(identifier: "b")
        // API: BGProcessingTaskRequest.requiresNetworkConnectivity
        processing.requiresNetworkConnectivity = true
        // API: BGProcessingTaskRequest.requiresExternalPower
        processing.requiresExternalPower = processing.requiresNetworkConnectivity
        // API: BGHealthResearchTaskRequest
        let research = BGHealthResearchTaskRequest(identifier: "c")
        research.requiresExternalPower = true
        // API: BGHealthResearchTaskRequest.protectionTypeOfRequiredData
        research.protectionTypeOfRequiredData = "NSFileProtectionComplete"
        let protection: NSString = research.protectionTypeOfRequiredData
        _ = protection
    }

    static func continuedRequests() {
        // API: BGContinuedProcessingTaskRequest
        // API: BGContinuedProcessingTaskRequest.init(identifier:title:subtitle:)
        let request = BGContinuedProcessingTaskRequest(identifier: "d", title: "Export", subtitle: "12 photos")
        // API: BGContinuedProcessingTaskRequest.title
        request.title += "ing"
        // API: BGContinuedProcessingTaskRequest.subtitle
        request.subtitle = "11 photos"
        // API: BGContinuedProcessingTaskRequest.strategy
        request.strategy = .fail
        // API: BGContinuedProcessingTaskRequest.SubmissionStrategy
        let strategy: BGContinuedProcessingTaskRequest.SubmissionStrategy = request.strategy
        switch strategy {
        // API: BGContinuedProcessingTaskRequest.SubmissionStrategy.fail
        case .fail: break
        // API: BGContinuedProcessingTaskRequest.SubmissionStrategy.queue
        case .queue: break
        @unknown default: break
        }
        // API: BGContinuedProcessingTaskRequest.requiredResources
        request.requiredResources = []
        // API: BGContinuedProcessingTaskRequest.Resources
        let resources: BGContinuedProcessingTaskRequest.Resources = request.requiredResources
        // API: BGContinuedProcessingTaskRequest.Resources: OptionSet
        _ = resources.union([])
        // API: BGContinuedProcessingTaskRequest.Resources.gpu
        if BGTaskScheduler.supportedResources.contains(.gpu) { request.requiredResources = .gpu }
    }
}
