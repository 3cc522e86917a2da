import Foundation

/// What a request object holds, whatever its class.
struct RequestFields: Sendable {
    var earliestBeginDate: Date?
    var requiresNetworkConnectivity = false
    var requiresExternalPower = false
    /// What files have that nobody said otherwise of.
    var protectionType = "NSFileProtectionCompleteUntilFirstUserAuthentication"
    var title = ""
    var subtitle = ""
    var strategy = BGContinuedProcessingTaskRequest.SubmissionStrategy.queue
    var requiredResources = BGContinuedProcessingTaskRequest.Resources()
}
