public import Foundation
import Platform
import Plugins
import Scheduling

/// A wish to run the task of an identifier once; submit one of its subclasses.
///
/// The scheduler copies it on submission, so changing it later changes nothing (B16).
///
/// Unchecked because subclasses could add what is not safe; what this module stores is constant or behind a lock. Apple's
/// class is not `Sendable`, and code that hands one over to another task compiles against both.
open class BGTaskRequest: NSObject, NSCopying, @unchecked Sendable {
    /// The identifier of the task.
    public let identifier: String
    final let fields: Locked<RequestFields>

    init(_ identifier: String, _ fields: RequestFields) {
        self.identifier = identifier
        self.fields = Locked(fields)
        super.init()
    }

    /// The earliest time at which the task may start; `nil` for no such floor (B14).
    open var earliestBeginDate: Date? {
        get { fields.withLock { $0.earliestBeginDate } }
        set { fields.withLock { $0.earliestBeginDate = newValue } }
    }

    /// A request of the same class with the same values.
    open func copy(with zone: NSZone? = nil) -> Any {
        duplicate()
    }

    /// The identifier and the floor, for people.
    open override var description: String {
        let floor = earliestBeginDate.map { "not before \($0)" } ?? "as soon as possible"
        return "<\(type(of: self)): \(identifier), \(floor)>"
    }

    /// What it is for the scheduler; `nil` for a class that no handler could be launched for.
    var kind: TaskKind? { nil }

    func duplicate() -> BGTaskRequest {
        BGTaskRequest(identifier, fields.withLock { $0 })
    }

    /// What the scheduler gets. Throws `invalidIdentifier` (B1).
    final func taskRequest() throws(Refusal) -> TaskRequest {
        let fields = fields.withLock { $0 }
        var request = TaskRequest(identifier: try TaskIdentifier(identifier), kind: kind)
        request.earliestBeginDate = fields.earliestBeginDate
        request.requiresNetworkConnectivity = fields.requiresNetworkConnectivity
        request.requiresExternalPower = fields.requiresExternalPower
        if kind == .continuedProcessing {
            request.title = fields.title
            request.subtitle = fields.subtitle
            request.strategy = fields.strategy == .fail ? .fail : .queue
            request.requiredResources = fields.requiredResources.unsupportedNames
        }
        return request
    }

    /// A request that the scheduler holds, as an object of its class.
    static func object(for request: TaskRequest) -> BGTaskRequest {
        var fields = RequestFields()
        fields.earliestBeginDate = request.earliestBeginDate
        fields.requiresNetworkConnectivity = request.requiresNetworkConnectivity
        fields.requiresExternalPower = request.requiresExternalPower
        fields.title = request.title ?? ""
        fields.subtitle = request.subtitle ?? ""
        fields.strategy = request.strategy == .fail ? .fail : .queue
        let identifier = request.identifier.text
        switch request.kind {
        case .appRefresh, nil: return BGAppRefreshTaskRequest(identifier, fields)
        case .processing: return BGProcessingTaskRequest(identifier, fields)
        case .healthResearch: return BGHealthResearchTaskRequest(identifier, fields)
        case .continuedProcessing: return BGContinuedProcessingTaskRequest(identifier, fields)
        }
    }
}
