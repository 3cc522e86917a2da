import CJansson

/// A method that somebody calls: a request, which is answered, or a notification, which never is.
package struct Request: Sendable {
    /// Nil for a notification.
    package let identifier: RequestIdentifier?
    package let isInBatch: Bool
    /// An object or an array.
    package let params: JSONValue?

    private let methodValue: JSONValue

    init(identifier: RequestIdentifier?, isInBatch: Bool, method: JSONValue, params: JSONValue?) {
        self.identifier = identifier
        self.isInBatch = isInBatch
        self.methodValue = method
        self.params = params
    }

    package var isNotification: Bool { identifier == nil }

    package var method: String { methodValue.string ?? "" }

    /// The method's UTF-8, without a copy.
    package func withMethod<T>(_ body: (UnsafeBufferPointer<UInt8>) -> T) -> T {
        guard let result = methodValue.withUTF8(body) else {
            preconditionFailure("a request's method is no string")
        }
        return result
    }
}
