/// The error of a reply.
package struct RPCError: Error, Sendable {
    package typealias Members = @Sendable (inout JSONWriter) -> Void

    package static let parseErrorCode = -32_700
    package static let invalidRequestCode = -32_600
    package static let methodNotFoundCode = -32_601
    package static let invalidParamsCode = -32_602
    package static let internalErrorCode = -32_603
    package static let accessDeniedCode = 21
    package static let limitExceededCode = 22

    package let code: Int
    /// What programs match on; becomes `data.kind`.
    package let kind: String
    /// One plain sentence that says what to do.
    package let message: String
    /// Writes more members of `data`, after `kind`.
    package let members: Members?

    package init(code: Int, kind: String, message: String, members: Members? = nil) {
        self.code = code
        self.kind = kind
        self.message = message
        self.members = members
    }

    package func write(into writer: inout JSONWriter) {
        writer.beginObject()
        writeMembers(into: &writer)
        writer.endObject()
    }

    /// The members of the error object, for an object that has others too.
    package func writeMembers(into writer: inout JSONWriter) {
        writer.member("code", code)
        writer.member("message", message)
        writer.key("data")
        writer.beginObject()
        writer.member("kind", kind)
        members?(&writer)
        writer.endObject()
    }
}

extension RPCError {
    package static func parseError(_ message: String) -> RPCError {
        RPCError(code: parseErrorCode, kind: "parseError", message: message)
    }

    package static func parseError(_ error: JSONSyntaxError) -> RPCError {
        RPCError(code: parseErrorCode, kind: "parseError", message: error.message) { writer in
            writer.member("line", error.line)
            writer.member("column", error.column)
            if case .duplicateName(let name) = error.reason { writer.member("member", name) }
        }
    }

    package static func invalidRequest(_ message: String) -> RPCError {
        RPCError(code: invalidRequestCode, kind: "invalidRequest", message: message)
    }

    package static func methodNotFound(_ name: String, nearest: String?) -> RPCError {
        let hint = nearest.map { "did you mean '\($0)'?" } ?? "'runnerctl help' lists all methods."
        return RPCError(
            code: methodNotFoundCode, kind: "methodNotFound",
            message: "There is no method \(QuotedName(name)); \(hint)"
        ) { writer in
            writer.member("nearest", nearest)
        }
    }

    package static func internalError(_ message: String) -> RPCError {
        RPCError(code: internalErrorCode, kind: "internalError", message: message)
    }

    /// - Parameter has: nil for a peer that may do nothing at all.
    package static func accessDenied(
        method: String, needs level: AccessLevel, has: AccessLevel?, advice: AccessAdvice
    ) -> RPCError {
        let own = has.map { "yours is '\($0.name)'" } ?? "you have none"
        return RPCError(
            code: accessDeniedCode, kind: "accessDenied",
            message:
                "The method '\(method)' needs the access level '\(level.name)', and \(own); \(advice.way(to: level))."
        ) { writer in
            writer.member("level", level.name)
            writer.member("access", has?.name)
        }
    }

    package static func limitExceeded(_ limit: ConnectionLimits.Name, _ message: String) -> RPCError {
        RPCError(code: limitExceededCode, kind: "limitExceeded", message: message) { writer in
            writer.member("limit", limit.rawValue)
        }
    }
}
