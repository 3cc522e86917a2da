/// What a method is called, takes, returns and needs. Dispatch, help and discovery read the same rows.
package struct MethodDescription: Sendable {
    package let name: String
    /// One sentence.
    package let summary: String
    /// In the order of positions.
    package let parameters: [ParameterDescription]
    /// What comes back, in words.
    package let result: String
    /// The kinds of errors that this method has beside those that all have.
    package let errors: [String]
    package let access: AccessLevel
    /// False for a method that makes no sense within a batch.
    package let isAllowedInBatch: Bool

    package init(
        _ name: String, summary: String, parameters: [ParameterDescription] = [], result: String,
        errors: [String] = [], access: AccessLevel, isAllowedInBatch: Bool = true
    ) {
        self.name = name
        self.summary = summary
        self.parameters = parameters
        self.result = result
        self.errors = errors
        self.access = access
        self.isAllowedInBatch = isAllowedInBatch
    }
}
