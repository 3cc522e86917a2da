package import Scheduling

/// Reads what the control socket's methods take as the scheduler's own values.
extension ParameterReader {
    /// The params of a request for a method, checked.
    package init(_ params: JSONValue?, for method: MethodDescription) throws(RPCError) {
        do throws(InvalidParameters) {
            try self.init(params, method.parameters)
        } catch {
            throw error.rpcError
        }
    }

    // MARK: Names

    /// The required parameter `identifier`.
    package func taskIdentifier() throws(RPCError) -> TaskIdentifier {
        try taskIdentifier(string("identifier") ?? "")
    }

    package func optionalTaskIdentifier() throws(RPCError) -> TaskIdentifier? {
        guard let text = string("identifier") else { return nil }
        return try taskIdentifier(text)
    }

    /// The required parameter `app`.
    package func appIdentifier() throws(RPCError) -> AppIdentifier {
        try appIdentifier(string("app") ?? "")
    }

    package func optionalAppIdentifier() throws(RPCError) -> AppIdentifier? {
        guard let text = string("app") else { return nil }
        return try appIdentifier(text)
    }

    package func runIdentifier() -> RunIdentifier? {
        integer("run").map { RunIdentifier($0) }
    }

    // MARK: Numbers

    package func duration(_ name: String) -> Duration? {
        milliseconds(name).map { .milliseconds($0) }
    }

    /// How long to wait with `wait` or `timeoutSeconds`; nil is without an end.
    package func timeout() -> Duration? { duration("timeoutSeconds") }

    /// The page size.
    package func limit() -> Int {
        integer("limit").map { Int($0) } ?? ControlParameters.defaultLimit
    }

    /// A cursor that was made by `Cursor.text`.
    package func cursor(_ name: String) throws(RPCError) -> Int64? {
        guard let text = string(name) else { return nil }
        guard let position = Cursor.position(text) else {
            throw invalid(name, expected: "the 'next' of an earlier page").rpcError
        }
        return position
    }

    /// A cursor that was made by `Cursor.text(run:offset:)`.
    package func place(_ name: String) throws(RPCError) -> (run: RunIdentifier, offset: Int)? {
        guard let text = string(name) else { return nil }
        guard let place = Cursor.place(text) else {
            throw invalid(name, expected: "the 'next' of an earlier page").rpcError
        }
        return (RunIdentifier(place.run), place.offset)
    }

    // MARK: Private

    private func taskIdentifier(_ text: String) throws(RPCError) -> TaskIdentifier {
        do throws(Refusal) {
            return try TaskIdentifier(text)
        } catch {
            throw RPCError(error)
        }
    }

    private func appIdentifier(_ text: String) throws(RPCError) -> AppIdentifier {
        do throws(Refusal) {
            return try AppIdentifier(text)
        } catch {
            throw RPCError(error)
        }
    }
}
