import Plugins

/// A plugin whose parts are closures of a test.
struct ClosurePlugin: TaskPlugin {
    var registering: @Sendable (TaskRegistry) throws -> Void = { _ in }
    var launching: @Sendable (AppContext) async throws -> Void = { _ in }

    func register(in registry: TaskRegistry) throws { try registering(registry) }
    func launched(_ app: AppContext) async throws { try await launching(app) }
}
