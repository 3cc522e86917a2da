/// What a service tells its clients without being asked each time.
package struct NotificationDescription: Sendable {
    package let name: String
    /// One sentence.
    package let summary: String
    /// The shape of its params, by name.
    package let params: JSONSchema

    package init(_ name: String, summary: String, params: JSONSchema) {
        self.name = name
        self.summary = summary
        self.params = params
    }
}
