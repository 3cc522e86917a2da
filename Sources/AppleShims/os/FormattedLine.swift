import Foundation

/// A line of `os_log`, whose format is C's with a word for privacy. Swift's strings are no variadic arguments on Linux, so
/// each place is filled by itself.
enum FormattedLine {
    static func text(_ format: String, _ values: [Any]) -> String {
        var result = ""
        var values = values[...]
        var rest = Substring(format)
        while let percent = rest.firstIndex(of: "%") {
            result += rest[..<percent]
            rest = rest[rest.index(after: percent)...]
            if rest.first == "%" {
                result += "%"
                rest = rest.dropFirst()
                continue
            }
            let place = takePlace(&rest)
            result += place.isPrivate ? "<private>" : place.text(of: values.popFirst())
        }
        return result + rest
    }

    private struct Place {
        /// What C would make of a number: `%5.2f`.
        var format = "%"
        var isPrivate = false

        func text(of value: Any?) -> String {
            guard let value else { return "(no value)" }
            let isNumeric = format.last.map { "diuxXofFeEgGaA".contains($0) } ?? false
            guard isNumeric, let number = value as? any CVarArg else { return "\(value)" }
            return String(format: format, number)
        }
    }

    /// What stands between a percent sign and its conversion's letter, that included.
    private static func takePlace(_ rest: inout Substring) -> Place {
        var place = Place()
        if rest.first == "{", let end = rest.firstIndex(of: "}") {
            let words = rest[rest.index(after: rest.startIndex)..<end]
            place.isPrivate = words.contains("private") || words.contains("sensitive")
            rest = rest[rest.index(after: end)...]
        }
        while let next = rest.popFirst() {
            place.format.append(next)
            let isPart = "0123456789.-+ #'hlqjzt".contains(next)
            if !isPart { break }
        }
        return place
    }
}
