/// What came back for a request of ours.
package struct Response: Sendable {
    package enum Outcome: Sendable {
        case result(JSONValue)
        case error(ResponseError)
    }

    /// Nil when the peer could not tell which request it answers.
    package let identifier: Int64?
    package let outcome: Outcome

    package func result() throws(ResponseError) -> JSONValue {
        switch outcome {
        case .result(let value): return value
        case .error(let error): throw error
        }
    }
}

/// An error that the peer answered with.
package struct ResponseError: Error, Sendable {
    package let code: Int
    /// `data.kind`, or an empty string.
    package let kind: String
    package let message: String
    package let data: JSONValue?

    /// Nil when this is no JSON-RPC error object.
    init?(_ value: JSONValue) {
        guard let code = value["code"]?.integer.flatMap({ Int(exactly: $0) }), let message = value["message"]?.string
        else { return nil }
        self.code = code
        self.message = message
        self.data = value["data"]
        self.kind = data?["kind"]?.string ?? ""
    }
}
