package import Scheduling

/// The shapes of requests and submissions on the control socket.
extension JSONWriter {
    package mutating func value(_ request: PendingRequest) {
        beginObject()
        member("identifier", request.identifier.text)
        member("kind", request.kind.rawValue)
        member("earliestBeginDate", date: request.floor?.milliseconds)
        member("requiresNetworkConnectivity", request.requiresNetworkConnectivity)
        member("requiresExternalPower", request.requiresExternalPower)
        member("title", request.title)
        member("subtitle", request.subtitle)
        member("strategy", request.strategy?.rawValue)
        member("app", request.app.text)
        member("submittedAt", date: request.submittedAt.milliseconds)
        member("submission", request.submission)
        member("attempts", request.attempts)
        endObject()
    }

    package mutating func member(_ name: StaticString, _ request: PendingRequest?) {
        guard let request else { return }
        key(name)
        value(request)
    }

    package mutating func member(_ name: StaticString, _ requests: [PendingRequest]) {
        key(name)
        beginArray()
        for request in requests { value(request) }
        endArray()
    }

    package mutating func value(_ result: SubmissionResult) {
        beginObject()
        member("outcome", result.outcome.rawValue)
        member("request", result.request)
        member("previous", result.previous)
        member("postponed", result.postponed)
        endObject()
    }
}
