import Platform
import RPC
import Scheduling
import Storage
import SystemPlatform
import TestSupport

@testable import Runner

/// An engine with a control socket, and clients of it.
final class ControlFixture: Sendable {
    static let refresh = EngineFixture.refresh.text
    static let clean = EngineFixture.clean.text

    let folder = TemporaryFolder()
    let engine: EngineFixture

    init(
        memory: MemoryStore = MemoryStore(), policy: Policy = .prompt, access: AccessRules = .ownersOnly,
        limits: ConnectionLimits = ConnectionLimits(), simulation: Bool = true
    ) async throws {
        engine = try EngineFixture(memory: memory, policy: policy)
        if !simulation {
            await engine.engine.reconfigure(policy, retention: Retention(), simulation: false)
        }
        try await engine.engine.listen(at: path, access: access, limits: limits)
    }

    var path: String { folder.file("control.sock") }

    func client() throws -> ControlClient {
        try ControlClient(path)
    }

    /// Submits a request without a floor and says that its handler was entered.
    func running(_ identifier: TaskIdentifier = EngineFixture.refresh) async throws -> RunIdentifier {
        let before = engine.host.launches.count
        _ = await engine.submit(identifier)
        await engine.settle()
        let run = engine.host.launches[before]
        await engine.feed(.handlerEntered(run, nil))
        return run
    }
}

extension AccessRules {
    /// The rules of a socket whose daemon is this process.
    static var ownersOnly: AccessRules { AccessRules(owner: ProcessEnvironment.effectiveUser) }
}

extension Engine {
    func listen(at path: String, access: AccessRules, limits: ConnectionLimits) throws {
        let listening = try UnixSocket.listen(path: path, mode: 0o666)
        let service = ControlService(listening, access: access, limits: limits, engine: self, loop: loop)
        setControl(service)
        try service.start()
    }

    func closeControl() {
        control?.close()
        setControl(nil)
    }

    var connectionCount: Int { control?.connectionCount ?? 0 }
    var waitCount: Int { waiters.count }
}
