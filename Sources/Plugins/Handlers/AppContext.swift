public import Scheduling

/// The app whose handlers run in this process: its requests, its log, and why it was started again.
public struct AppContext: Sendable {
    /// The identifier of the app.
    public let identifier: AppIdentifier
    /// Why the app finds itself started again; `nil` after an ordinary end.
    public let recovered: RecoveryCause?
    private let channel: any AppChannel

    package init(identifier: AppIdentifier, recovered: RecoveryCause?, channel: any AppChannel) {
        self.identifier = identifier
        self.recovered = recovered
        self.channel = channel
    }

    /// Submits a request; a reply means that it is on disk (B15).
    @discardableResult
    public func submit(_ request: TaskRequest, ifPending: PendingChoice = .replace) async throws(Refusal)
        -> Submission
    {
        try await channel.submit(request, ifPending: ifPending)
    }

    /// Cancels the pending request of an identifier, and says whether there was one (B17).
    @discardableResult
    public func cancel(_ identifier: TaskIdentifier) async throws(Refusal) -> Bool {
        try await channel.cancel(identifier)
    }

    /// Cancels all pending requests of the app, and says how many there were (B17).
    @discardableResult
    public func cancelAll() async throws(Refusal) -> Int {
        try await channel.cancelAll()
    }

    /// The requests of the app that are pending.
    public func pendingRequests() async throws(Refusal) -> [TaskRequest] {
        try await channel.pendingRequests()
    }

    /// Registers a handler for continued processing on demand, after the app has finished launching (B5).
    ///
    /// Throws what `TaskRegistry.register` throws, and `limitExceeded` for the 65th.
    public func registerContinued(
        _ identifier: String, fileID: StaticString = #fileID, line: UInt = #line,
        handler: @escaping @Sendable (TaskContext) async throws -> Void
    ) async throws(Refusal) {
        try await channel.registerContinued(
            PendingRegistration(
                identifier: identifier, kind: .continuedProcessing, origin: "\(fileID):\(line)",
                handler: .async(handler)))
    }

    /// Writes a line into the log of the app, without waiting.
    public func log(_ message: String, level: TaskLogLevel = .info) {
        channel.log(message, level: level, run: nil)
    }

    /// Tells a plugin that its app has finished launching, on a queue of its own.
    @discardableResult
    package func announceLaunch(to plugin: any TaskPlugin) -> Task<Void, Never> {
        Task(executorPreference: HandlerQueue(label: identifier.text)) {
            do {
                try await plugin.launched(self)
            } catch {
                log("The plugin could not do what it does after launching: \(error)", level: .error)
            }
        }
    }
}
