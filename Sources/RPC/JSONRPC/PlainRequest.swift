/// Reads the usual form of a request without building a document of all of it: `jsonrpc`, `id`, `method` and `params` in
/// this order, an integer for an id, and a method without escapes.
///
/// Everything else, right or wrong, is left to the whole parser, so that there is one place that finds errors.
struct PlainRequest {
    /// Nil for a notification.
    let identifier: RequestIdentifier?
    let method: String
    /// The params, which have not been looked at.
    let params: UnsafeRawBufferPointer?

    private static let longestMethod = 64

    /// Nil for every other line.
    init?(_ line: UnsafeRawBufferPointer) {
        var scanner = PlainScanner(line)
        guard scanner.take("{"), scanner.take("\"jsonrpc\""), scanner.take(":"), scanner.take("\"2.0\""),
            scanner.take(",")
        else { return nil }
        if scanner.take("\"id\"") {
            guard scanner.take(":"), let number = scanner.integer(), scanner.take(",") else { return nil }
            identifier = .integer(number)
        } else {
            identifier = nil
        }
        guard scanner.take("\"method\""), scanner.take(":"), let name = scanner.string(),
            name.count <= Self.longestMethod
        else { return nil }
        method = String(decoding: name, as: UTF8.self)
        if scanner.take(",") {
            guard scanner.take("\"params\""), scanner.take(":"), let rest = scanner.restBeforeBrace() else {
                return nil
            }
            params = rest
        } else {
            guard scanner.take("}"), scanner.isAtEnd else { return nil }
            params = nil
        }
    }
}
