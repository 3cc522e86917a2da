package import Scheduling

/// The shapes of events' data on the control socket.
extension JSONWriter {
    /// What an event carries: the request, the run, or whatever else it is about, as the methods show it.
    package mutating func data(of notice: Notice) {
        switch notice {
        case .submitted(let result): value(result)
        case .refiled(let request, let cause):
            beginObject()
            member("outcome", cause.rawValue)
            member("request", request)
            endObject()
        case .withdrawn(let request, let cause):
            beginObject()
            member("cause", cause.rawValue)
            member("request", request)
            endObject()
        case .refused(let refusal, _):
            beginObject()
            RPCError(refusal).writeMembers(into: &self)
            endObject()
        case .claimed(let run), .launched(let run), .progressed(let run), .expiring(let run), .ended(let run):
            beginObject()
            member("run", run)
            endObject()
        case .diagnostic(let diagnostic): value(diagnostic)
        case .gateChanged(let change):
            beginObject()
            member("gate", change.gate.rawValue)
            member("verdict", change.verdict.rawValue)
            member("heldBy", change.heldBy?.rawValue)
            endObject()
        case .appStateChanged(_, let state):
            beginObject()
            member("state", state.rawValue)
            endObject()
        case .deviceChanged(let change):
            beginObject()
            members(of: change)
            endObject()
        case .phaseChanged(let phase):
            beginObject()
            member("phase", phase.rawValue)
            endObject()
        }
    }
}
