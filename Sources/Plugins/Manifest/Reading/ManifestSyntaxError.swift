/// Why a file is not a text of its format, and where.
struct ManifestSyntaxError: Error, Hashable, Sendable {
    /// Counted from 1; `nil` in a binary file.
    var line: Int?
    /// One plain sentence.
    var message: String

    init(line: Int? = nil, _ message: String) {
        self.line = line
        self.message = message
    }
}
