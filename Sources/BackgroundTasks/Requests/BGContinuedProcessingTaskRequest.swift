import Platform
import Scheduling

/// A wish for work that a person started and that goes on in the background, with progress (B29).
open class BGContinuedProcessingTaskRequest: BGTaskRequest, @unchecked Sendable {
    /// Makes a request for a permitted identifier, with words for people.
    public init(identifier: String, title: String, subtitle: String) {
        var fields = RequestFields()
        fields.title = title
        fields.subtitle = subtitle
        super.init(identifier, fields)
    }

    override init(_ identifier: String, _ fields: RequestFields) {
        super.init(identifier, fields)
    }

    /// What people see first; it must not be empty.
    open var title: String {
        get { fields.withLock { $0.title } }
        set { fields.withLock { $0.title = newValue } }
    }

    /// What people see below the title.
    open var subtitle: String {
        get { fields.withLock { $0.subtitle } }
        set { fields.withLock { $0.subtitle = newValue } }
    }

    /// What happens when it cannot start at once; `queue` by default.
    open var strategy: SubmissionStrategy {
        get { fields.withLock { $0.strategy } }
        set { fields.withLock { $0.strategy = newValue } }
    }

    /// What the run needs beyond a processor; none is supported here, so that asking for any is `unavailable`.
    open var requiredResources: Resources {
        get { fields.withLock { $0.requiredResources } }
        set { fields.withLock { $0.requiredResources = newValue } }
    }

    override var kind: TaskKind? { .continuedProcessing }

    override func duplicate() -> BGTaskRequest {
        BGContinuedProcessingTaskRequest(identifier, fields.withLock { $0 })
    }
}
