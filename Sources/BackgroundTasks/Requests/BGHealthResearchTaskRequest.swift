public import Foundation
import Platform
import Scheduling

/// A wish for processing on behalf of a health research study; treated as processing.
open class BGHealthResearchTaskRequest: BGProcessingTaskRequest, @unchecked Sendable {
    /// The file protection of the data that the task needs; kept, and without effect on Linux.
    open var protectionTypeOfRequiredData: NSString {
        get { fields.withLock { $0.protectionType } as NSString }
        set {
            let text = String(newValue)
            fields.withLock { $0.protectionType = text }
        }
    }

    override var kind: TaskKind? { .healthResearch }

    override func duplicate() -> BGTaskRequest {
        BGHealthResearchTaskRequest(identifier, fields.withLock { $0 })
    }
}
