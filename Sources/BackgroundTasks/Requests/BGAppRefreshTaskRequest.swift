import Platform
import Scheduling

/// A wish to refresh an app's content, in a short run: 30 seconds by default (B23).
///
/// Needs the background mode `fetch`.
open class BGAppRefreshTaskRequest: BGTaskRequest, @unchecked Sendable {
    /// Makes a request for a permitted identifier.
    public init(identifier: String) {
        super.init(identifier, RequestFields())
    }

    override init(_ identifier: String, _ fields: RequestFields) {
        super.init(identifier, fields)
    }

    override var kind: TaskKind? { .appRefresh }

    override func duplicate() -> BGTaskRequest {
        BGAppRefreshTaskRequest(identifier, fields.withLock { $0 })
    }
}
