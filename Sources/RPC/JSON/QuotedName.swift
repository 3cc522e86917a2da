/// A name from outside as it is put into a sentence: in quotation marks, and cut when it is absurdly long.
package struct QuotedName: CustomStringConvertible {
    package static let limit = 64

    package let description: String

    package init(_ name: String) {
        // Counted in scalars, because a single character may be of any length.
        if let end = name.unicodeScalars.index(
            name.startIndex, offsetBy: Self.limit, limitedBy: name.endIndex), end != name.endIndex
        {
            description = "'\(name[..<end])...'"
        } else {
            description = "'\(name)'"
        }
    }
}
