/// Why the params of a request cannot be used; nothing has happened yet.
package struct InvalidParameters: Error, Hashable, Sendable {
    /// The parameter, as a path when it is within another: `since.sequence`. A surplus position is its index.
    package let member: String
    /// What would be right; nil when the member should not be there at all.
    package let expected: String?
    /// One plain sentence.
    package let message: String

    package init(member: String, expected: String?, message: String) {
        self.member = member
        self.expected = expected
        self.message = message
    }

    package var rpcError: RPCError {
        RPCError(code: RPCError.invalidParamsCode, kind: "invalidParams", message: message) { writer in
            writer.member("member", member)
            writer.member("expected", expected)
        }
    }
}
