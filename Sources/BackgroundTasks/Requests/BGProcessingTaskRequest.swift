import Platform
import Scheduling

/// A wish for longer maintenance work, which may have conditions: 10 minutes by default (B23).
///
/// Needs the background mode `processing`.
open class BGProcessingTaskRequest: BGTaskRequest, @unchecked Sendable {
    /// Makes a request for a permitted identifier.
    public init(identifier: String) {
        super.init(identifier, RequestFields())
    }

    override init(_ identifier: String, _ fields: RequestFields) {
        super.init(identifier, fields)
    }

    /// Whether the task needs a network; losing it for more than 5 s expires the run (B21).
    open var requiresNetworkConnectivity: Bool {
        get { fields.withLock { $0.requiresNetworkConnectivity } }
        set { fields.withLock { $0.requiresNetworkConnectivity = newValue } }
    }

    /// Whether the task needs external power; losing it for more than 5 s expires the run (B21).
    open var requiresExternalPower: Bool {
        get { fields.withLock { $0.requiresExternalPower } }
        set { fields.withLock { $0.requiresExternalPower = newValue } }
    }

    override var kind: TaskKind? { .processing }

    override func duplicate() -> BGTaskRequest {
        BGProcessingTaskRequest(identifier, fields.withLock { $0 })
    }
}
