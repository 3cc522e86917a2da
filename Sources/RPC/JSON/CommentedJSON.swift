/// Files that people write: strict JSON plus `//` comments.
package enum CommentedJSON {
    package static func parse(
        _ bytes: [UInt8], depthLimit: Int = JSONDocument.defaultDepthLimit
    ) throws(JSONSyntaxError) -> JSONDocument {
        try JSONDocument.parse(withoutComments(bytes), depthLimit: depthLimit)
    }

    /// The same text with spaces instead of comments, so that lines and columns of errors still hold.
    static func withoutComments(_ bytes: [UInt8]) -> [UInt8] {
        let slash = UInt8(ascii: "/")
        var result = bytes
        var index = 0
        while index < result.count {
            if result[index] == UInt8(ascii: "\"") {
                index = result.withUnsafeBytes { JSONDepth.closingQuote(after: index, $0) } + 1
            } else if result[index] == slash, index + 1 < result.count, result[index + 1] == slash {
                while index < result.count, result[index] != UInt8(ascii: "\n") {
                    result[index] = UInt8(ascii: " ")
                    index += 1
                }
            } else {
                index += 1
            }
        }
        return result
    }
}
