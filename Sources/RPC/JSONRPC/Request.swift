/// A method that somebody calls: a request, which is answered, or a notification, which never is.
package struct Request: Sendable {
    /// Nil for a notification.
    package let identifier: RequestIdentifier?
    package let isInBatch: Bool
    package let method: String
    /// An object or an array.
    package let params: JSONValue?

    init(identifier: RequestIdentifier?, isInBatch: Bool, method: String, params: JSONValue?) {
        self.identifier = identifier
        self.isInBatch = isInBatch
        self.method = method
        self.params = params
    }

    package var isNotification: Bool { identifier == nil }
}
