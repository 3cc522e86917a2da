/// The methods of the plugin protocol, of both directions.
package enum PluginMethod: String, CaseIterable, Sendable {
    // From the plugin to the runner.
    case hello
    case register
    case finishLaunching
    case submit
    case cancel
    case cancelAll
    case pending
    case complete = "task.complete"
    case progress = "task.progress"
    case log

    // From the runner to the plugin.
    case launch = "task.launch"
    case expire = "task.expire"
    case shutdown

    /// The version of the protocol that these methods make up.
    package static let protocolVersion: Int64 = 1

    package var isFromPlugin: Bool {
        switch self {
        case .hello, .register, .finishLaunching, .submit, .cancel, .cancelAll, .pending, .complete, .progress, .log:
            true
        case .launch, .expire, .shutdown: false
        }
    }

    /// Whether nobody answers it.
    package var isNotification: Bool {
        switch self {
        case .progress, .log, .expire, .shutdown: true
        case .hello, .register, .finishLaunching, .submit, .cancel, .cancelAll, .pending, .complete, .launch: false
        }
    }
}
