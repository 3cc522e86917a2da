/// A handler that an app wanted to register and could not, as `doctor` shows it (B7).
package struct RefusedRegistration: Hashable, Sendable, Codable {
    /// The identifier, as people can read it; it may have been anything.
    package var identifier: String
    package var message: String
    /// The permitted identifier that was probably meant.
    package var nearest: String?

    /// No more are kept of one process.
    static let most = 8

    init(identifier: String, _ refusal: Refusal) {
        self.identifier = IdentifierSyntax.printable(identifier)
        message = refusal.message
        nearest = refusal.nearest
    }
}

extension Scheduler {
    /// Notes a refused registration, so that it is known as long as what was registered beside it.
    mutating func keepRefused(_ registration: HandlerRegistration, _ refusal: Refusal) {
        guard let app = apps.find(registration.app), apps[app].process.refused.count < RefusedRegistration.most else {
            return
        }
        let refused = RefusedRegistration(identifier: registration.identifier, refusal)
        guard !apps[app].process.refused.contains(refused) else { return }
        apps[app].process.refused.append(refused)
        // Of a process that has finished launching the set is kept already.
        guard apps[app].process.state == .launched, apps[app].facts.registered != nil else { return }
        let all = apps[app].process.refused
        changeAppFacts(app) { $0.registered?.refused = all }
    }
}
