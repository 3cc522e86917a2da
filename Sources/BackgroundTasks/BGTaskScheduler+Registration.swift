public import Dispatch
import Foundation
import Platform
package import Plugins
import Scheduling

extension BGTaskScheduler {
    /// Registers the handler of an identifier; call it before the launch of the program is finished (B5).
    ///
    /// Without a queue it runs on a private serial one. Registering twice, or too late, ends the program (B6). `false`
    /// means that the identifier is not permitted (B7); a line on standard error says what to change.
    @discardableResult
    @_disfavoredOverload
    public func register(
        forTaskWithIdentifier identifier: String, using queue: dispatch_queue_t?,
        launchHandler: @escaping (BGTask) -> Void
    ) -> Bool {
        register(identifier, queue, .unnamed, launchHandler)
    }

    /// The same, which knows where it is called; code that calls it as Apple declares it finds this one.
    @discardableResult
    public func register(
        forTaskWithIdentifier identifier: String, using queue: dispatch_queue_t?,
        fileID: StaticString = #fileID, line: UInt = #line, launchHandler: @escaping (BGTask) -> Void
    ) -> Bool {
        register(identifier, queue, .line(fileID: fileID, line), launchHandler)
    }

    /// Registers an async handler, which completes when it returns and is cancelled on expiration (B28).
    @discardableResult
    package func register(
        _ identifier: String, kind: TaskKind, origin: String, work: @escaping @Sendable () async -> Void
    ) -> Bool {
        let registration = PendingRegistration(
            identifier: identifier, kind: kind, origin: origin, handler: .async { _ in await work() })
        return register(registration, nil, .unnamed)
    }

    // MARK: - Private

    private func register(
        _ identifier: String, _ queue: dispatch_queue_t?, _ place: CallPlace,
        _ launchHandler: @escaping (BGTask) -> Void
    ) -> Bool {
        // Apple's handlers are not `Sendable`, and run on the queue that their author chose.
        nonisolated(unsafe) let handler = launchHandler
        var registration = PendingRegistration(
            identifier: identifier, kind: nil, origin: place.text,
            handler: .explicit { launched in handler(BGTask.object(for: launched)) })
        registration.infersKind = true
        registration.expiresOnItsQueue = Compatibility.current == .ios18
        return register(registration, queue, place)
    }

    private func register(
        _ registration: PendingRegistration, _ queue: dispatch_queue_t?, _ place: CallPlace
    ) -> Bool {
        do throws(Refusal) {
            try backend.register(registration, queue: queue)
            return true
        } catch {
            if let misuse = Misuse(refused: error, registration, at: place) {
                backend.misused(misuse)
            } else {
                ProcessEnvironment.complain("BackgroundTasks: \(error.message) (register at \(registration.origin))")
            }
            return false
        }
    }
}

extension Misuse {
    /// The programmer's error behind a registration that was refused; `nil` when it is none.
    fileprivate init?(refused refusal: Refusal, _ registration: PendingRegistration, at place: CallPlace) {
        let identifier = registration.identifier
        switch refusal.kind {
        case .alreadyRegistered:
            self.init(
                "Launch handler for task with identifier \(identifier) has already been registered", at: place,
                explanation: "register(forTaskWithIdentifier:) at \(registration.origin): \(refusal.message)")
        case .registrationClosed:
            self.init(
                "All launch handlers must be registered before application finishes launching", at: place,
                explanation: """
                    register(forTaskWithIdentifier: "\(identifier)") at \(registration.origin) came too late; call it \
                    before application(_:didFinishLaunchingWithOptions:) returns or, without a delegate, before the \
                    main queue or run loop runs. Only continued processing may be registered later.
                    """)
        default: return nil
        }
    }
}
