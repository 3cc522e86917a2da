package import Scheduling

/// What a method is called, takes, returns and needs. Dispatch, help and discovery read the same rows.
package struct MethodDescription: Sendable {
    package let name: String
    /// One sentence.
    package let summary: String
    /// In the order of positions.
    package let parameters: [ParameterDescription]
    /// What the shape of the result does not say; empty when it says all.
    package let resultNote: String
    /// What can be refused, beside what every request can be refused for.
    package let errors: [Refusal.Kind]
    package let access: AccessLevel
    /// False for a method that makes no sense within a batch.
    package let isAllowedInBatch: Bool

    private let makeResult: @Sendable () -> JSONSchema
    private let makeExample: @Sendable () -> MethodExample

    /// The result and the example are made when somebody asks for them: serving a request needs neither.
    package init(
        _ name: String, summary: String, parameters: [ParameterDescription] = [],
        result: @autoclosure @escaping @Sendable () -> JSONSchema, resultNote: String = "",
        errors: [Refusal.Kind] = [], access: AccessLevel, isAllowedInBatch: Bool = true,
        example: @autoclosure @escaping @Sendable () -> MethodExample
    ) {
        self.name = name
        self.summary = summary
        self.parameters = parameters
        makeResult = result
        self.resultNote = resultNote
        self.errors = errors
        self.access = access
        self.isAllowedInBatch = isAllowedInBatch
        makeExample = example
    }

    /// The shape of what comes back.
    package var result: JSONSchema { makeResult() }

    package var example: MethodExample { makeExample() }
}

/// A call of a method and what came back once, both as JSON texts.
package struct MethodExample: Sendable {
    /// A few words.
    package let name: String
    /// An object; empty when the method is called without params.
    package let params: String
    package let result: String

    package init(_ name: String, params: String = "{}", result: String) {
        self.name = name
        self.params = params
        self.result = result
    }
}
