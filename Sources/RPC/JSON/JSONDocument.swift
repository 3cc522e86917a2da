import CJansson

/// A parsed text: owns what jansson built, and is never changed afterwards.
///
/// Unchecked, because the pointer keeps the compiler from seeing it: reading jansson values from several threads is safe
/// as long as nobody changes them or their reference counts, and only `deinit` does, after the last reader has gone.
package final class JSONDocument: @unchecked Sendable {
    /// What a text may nest, unless somebody says otherwise.
    package static let defaultDepthLimit = 32

    let node: UnsafeMutablePointer<json_t>

    package var root: JSONValue { JSONValue(node: node, document: self) }

    /// Takes the node over.
    init(node: UnsafeMutablePointer<json_t>) {
        self.node = node
    }

    deinit {
        json_decref(node)
    }

    /// Reads one strict RFC 8259 text that fills all of `bytes`.
    ///
    /// - Parameters:
    ///   - allowsFragments: a lone string, number, boolean or null is accepted too.
    ///   - depthLimit: nil when the caller has looked already.
    package static func parse(
        _ bytes: UnsafeRawBufferPointer, allowsFragments: Bool = false,
        depthLimit: Int? = JSONDocument.defaultDepthLimit
    ) throws(JSONSyntaxError) -> JSONDocument {
        if let depthLimit, let offset = JSONDepth.offset(exceeding: depthLimit, bytes) {
            throw JSONSyntaxError(
                .tooDeep(limit: depthLimit), at: offset, in: bytes,
                explanation: "arrays and objects nest deeper than \(depthLimit) levels")
        }
        // jansson swallows a NUL that follows a number, even in the middle of a text; raw, it is legal nowhere.
        guard bytes.reduce(UInt8.max, min) != 0 || bytes.isEmpty else {
            throw JSONSyntaxError(
                .nulByte, at: bytes.firstIndex(of: 0) ?? 0, in: bytes, explanation: "there is a NUL byte in it")
        }
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
            throw JSONSyntaxError(.incomplete, line: 1, column: 1, explanation: "it is empty")
        }
        var flags = JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL
        if allowsFragments { flags |= JSON_DECODE_ANY }
        var error = json_error_t()
        let text = start.assumingMemoryBound(to: CChar.self)
        guard let node = json_loadb(text, bytes.count, Int(flags), &error) else {
            throw syntaxError(error, in: bytes)
        }
        let document = JSONDocument(node: node)
        guard Int(error.position) == bytes.count else {
            throw JSONSyntaxError(
                .syntax, at: Int(error.position), in: bytes, explanation: "there is more text after the value")
        }
        return document
    }

    package static func parse(
        _ bytes: [UInt8], allowsFragments: Bool = false, depthLimit: Int? = JSONDocument.defaultDepthLimit
    ) throws(JSONSyntaxError) -> JSONDocument {
        try bytes.withUnsafeBufferPointer { (buffer) throws(JSONSyntaxError) in
            try parse(UnsafeRawBufferPointer(buffer), allowsFragments: allowsFragments, depthLimit: depthLimit)
        }
    }

    // MARK: Errors

    private static func syntaxError(_ error: json_error_t, in bytes: UnsafeRawBufferPointer) -> JSONSyntaxError {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            return JSONSyntaxError(
                .byteOrderMark, line: 1, column: 1, explanation: "it starts with a byte order mark; leave it out")
        }
        var error = error
        let code = json_error_code(&error)
        let reason: JSONSyntaxError.Reason
        let explanation: String
        switch code {
        case json_error_duplicate_key:
            let name = name(endingAt: Int(error.position), in: bytes)
            reason = .duplicateName(name)
            explanation = "the member \(QuotedName(name)) is there twice"
        case json_error_null_byte_in_key:
            reason = .nulInName
            explanation = "a member's name contains NUL"
        case json_error_invalid_utf8:
            reason = .invalidUTF8
            explanation = "it is not UTF-8"
        case json_error_numeric_overflow:
            reason = .numberTooLarge
            explanation = "a number is too large (integers have 64 bits)"
        case json_error_premature_end_of_input:
            reason = .incomplete
            explanation = "it ends too early"
        case json_error_end_of_input_expected:
            reason = .syntax
            explanation = "there is more text after the value"
        case json_error_stack_overflow:
            reason = .tooDeep(limit: Int(JSON_PARSER_MAX_DEPTH))
            explanation = "arrays and objects nest deeper than \(JSON_PARSER_MAX_DEPTH) levels"
        default:
            reason = .syntax
            explanation = withUnsafeBytes(of: &error.text) { text in
                String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
            }
        }
        return JSONSyntaxError(
            reason, line: max(Int(error.line), 1), column: max(Int(error.column), 1), explanation: explanation)
    }

    /// The name whose closing quote is just before `end`. jansson tells short names only, so it is read from the text.
    private static func name(endingAt end: Int, in bytes: UnsafeRawBufferPointer) -> String {
        guard end >= 2, end <= bytes.count, bytes[end - 1] == UInt8(ascii: "\"") else { return "" }
        var opening = end - 2
        while opening > 0, !isUnescapedQuote(opening, bytes) { opening -= 1 }
        let literal = UnsafeRawBufferPointer(rebasing: bytes[opening..<end])
        guard let name = try? parse(literal, allowsFragments: true, depthLimit: nil).root.string else { return "" }
        return name
    }

    private static func isUnescapedQuote(_ index: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes[index] == UInt8(ascii: "\"") else { return false }
        // Within a string every quote follows a backslash; before a string there can be none.
        return index == 0 || bytes[index - 1] != UInt8(ascii: "\\")
    }
}
