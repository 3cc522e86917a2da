/// The lines at which members and elements stand in a file that a person wrote, by key path: `apps[0].tasks[1].takes`.
package struct KeyLines: Sendable {
    /// What stands below a longer name has no lines of its own: it would be in every path below it.
    private static let longestName = 200

    private var lines: [String: Int] = [:]

    /// - Parameter bytes: a text that `CommentedJSON` has accepted.
    package init(_ bytes: [UInt8]) {
        var walk = Walk(text: CommentedJSON.withoutComments(bytes))
        walk.value(at: "", into: &lines)
    }

    /// The line of a key, counted from 1; where it is not there, of what it would stand in.
    package func line(of key: String) -> Int? {
        var key = key[...]
        while !key.isEmpty {
            if let line = lines[String(key)] { return line }
            // A name may have dots in it: then a part of it is no key, and the next part is tried.
            guard let end = key.lastIndex(where: { $0 == "." || $0 == "[" }) else { break }
            key = key[..<end]
        }
        return lines[""]
    }

    /// Goes through the text once. It is valid, so that what is not looked for is skipped.
    private struct Walk {
        let text: [UInt8]
        var index = 0
        var line = 1

        /// - Parameter path: `nil` where nothing is to be remembered.
        mutating func value(at path: String?, into lines: inout [String: Int]) {
            skipBlanks()
            // A member stands where its name does.
            if let path, lines[path] == nil { lines[path] = line }
            guard index < text.count else { return }
            switch text[index] {
            case UInt8(ascii: "{"): members(of: path, into: &lines)
            case UInt8(ascii: "["): elements(of: path, into: &lines)
            case UInt8(ascii: "\""): _ = string()
            default: while index < text.count, !Self.isEnd(text[index]) { index += 1 }
            }
        }

        private mutating func members(of path: String?, into lines: inout [String: Int]) {
            repeat {
                index += 1
                skipBlanks()
                guard index < text.count, text[index] == UInt8(ascii: "\"") else { break }
                let line = line
                let name = string()
                let key = path.map { $0.isEmpty ? name : "\($0).\(name)" }
                if let key { lines[key] = line }
                skipBlanks()
                index += 1
                value(at: name.utf8.count > KeyLines.longestName ? nil : key, into: &lines)
                skipBlanks()
            } while index < text.count && text[index] == UInt8(ascii: ",")
            index += 1
        }

        private mutating func elements(of path: String?, into lines: inout [String: Int]) {
            var count = 0
            repeat {
                index += 1
                skipBlanks()
                guard index < text.count, text[index] != UInt8(ascii: "]") else { break }
                value(at: path.map { "\($0)[\(count)]" }, into: &lines)
                count += 1
                skipBlanks()
            } while index < text.count && text[index] == UInt8(ascii: ",")
            index += 1
        }

        /// The string that begins here; the index is behind it afterwards.
        private mutating func string() -> String {
            let begin = index
            index = min(text.withUnsafeBytes { JSONDepth.closingQuote(after: begin, $0) } + 1, text.count)
            let literal = text[begin..<index]
            guard literal.contains(UInt8(ascii: "\\")) else {
                return String(decoding: literal.dropFirst().dropLast(), as: UTF8.self)
            }
            let document = try? JSONDocument.parse(Array(literal), allowsFragments: true, depthLimit: nil)
            return document?.root.string ?? ""
        }

        private mutating func skipBlanks() {
            while index < text.count {
                switch text[index] {
                case UInt8(ascii: "\n"): line += 1
                case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
                default: return
                }
                index += 1
            }
        }

        private static func isEnd(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: " "), UInt8(ascii: "\t"),
                UInt8(ascii: "\r"), UInt8(ascii: "\n"):
                true
            default: false
            }
        }
    }
}
