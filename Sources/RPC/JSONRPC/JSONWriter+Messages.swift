/// The envelopes of JSON-RPC 2.0.
extension JSONWriter {
    /// A reply object, without LF, with what `body` writes, which is one value, or with the error that it throws.
    mutating func reply(
        to identifier: RequestIdentifier, _ body: (inout JSONWriter) throws(RPCError) -> Void
    ) {
        beginObject()
        prefix(#""jsonrpc":"2.0","id":"#)
        identifier.write(into: &self)
        let start = mark
        key("result")
        let value = mark
        do throws(RPCError) {
            try body(&self)
            precondition(isOneValue(since: value), "a result must be one value")
        } catch {
            rewind(to: start)
            key("error")
            error.write(into: &self)
        }
        endObject()
    }

    mutating func reply(to identifier: RequestIdentifier, with error: RPCError) {
        reply(to: identifier) { (_) throws(RPCError) in throw error }
    }

    /// A whole request, or a notification when there is no identifier, with its LF.
    package mutating func call(
        _ method: String, identifier: Int64?, params: ((inout JSONWriter) -> Void)?
    ) {
        beginObject()
        member("jsonrpc", "2.0")
        member("id", identifier)
        member("method", method)
        if let params {
            key("params")
            let value = mark
            params(&self)
            precondition(isOneValue(since: value), "params must be one value")
        }
        endObject()
        endLine()
    }
}
