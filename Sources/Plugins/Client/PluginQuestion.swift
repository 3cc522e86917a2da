import Platform
import RPC
import Scheduling

/// What a plugin asks its runner, and how the answer is read.
struct PluginQuestion<Answer: Sendable>: Sendable {
    let method: PluginMethod
    let params: any PluginMessage
    private let read: @Sendable (JSONValue) throws(RPCError) -> Answer

    init(
        _ method: PluginMethod, _ params: some PluginMessage,
        read: @escaping @Sendable (JSONValue) throws(RPCError) -> Answer
    ) {
        self.method = method
        self.params = params
        self.read = read
    }

    func answer(_ json: JSONValue) -> Result<Answer, Refusal> {
        do throws(RPCError) {
            return .success(try read(json))
        } catch {
            return .failure(
                Refusal(
                    .unavailable, "The runner's answer to \(method.rawValue) cannot be read: \(error.message)"))
        }
    }
}

extension PluginQuestion<SubmitResult> {
    static func submit(_ request: TaskRequest, _ ifPending: PendingChoice) -> Self {
        let message = SubmitMessage(request: request, options: SubmissionOptions(ifPending: ifPending))
        return Self(.submit, message) { (json) throws(RPCError) in try SubmitResult(fromRunner: json) }
    }
}

extension PluginQuestion<CancelResult> {
    static func cancel(_ identifier: TaskIdentifier) -> Self {
        Self(.cancel, CancelMessage(identifier: identifier)) { (json) throws(RPCError) in
            try CancelResult(fromRunner: json)
        }
    }
}

extension PluginQuestion<CancelAllResult> {
    static var cancelAll: Self {
        Self(.cancelAll, CancelAllMessage()) { (json) throws(RPCError) in try CancelAllResult(fromRunner: json) }
    }
}

extension PluginQuestion<PendingResult> {
    static func pending(after: String?) -> Self {
        Self(.pending, PendingMessage(after: after)) { (json) throws(RPCError) in try PendingResult(fromRunner: json) }
    }
}

extension PluginQuestion<HelloResult> {
    static var hello: Self {
        Self(.hello, HelloMessage(kit: "swift", version: RunnerVersion.text)) { (json) throws(RPCError) in
            try HelloResult(fromRunner: json)
        }
    }
}

extension PluginQuestion<EmptyMessage> {
    static var finishLaunching: Self {
        Self(.finishLaunching, EmptyMessage()) { (_) throws(RPCError) in EmptyMessage() }
    }
}
