/// Checks the structure of an XML property list before it is decoded.
///
/// FoundationEssentials' decoder has no bound on depth (it ends the process), keeps the last of two equal keys, and does
/// not count lines.
struct XMLPropertyListCheck {
    private enum Element: String {
        case plist, dict, array, key, string, integer, real, date, data
        case yes = "true"
        case no = "false"

        var holdsElements: Bool {
            switch self {
            case .plist, .dict, .array: true
            case .key, .string, .integer, .real, .date, .data, .yes, .no: false
            }
        }
    }

    /// An element that was opened.
    private struct Open {
        var element: Element
        var line: Int
        var contentStart: Int
        /// The keys of a dictionary, and the one that waits for its value.
        var keys: Set<String> = []
        var waitingKey: String?
        var hasContent = false
    }

    private static let depthLimit = 32

    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    private var open: [Open] = []
    private var isComplete = false

    static func check(_ bytes: [UInt8]) throws(ManifestSyntaxError) {
        guard !bytes.starts(with: [0xFE, 0xFF]), !bytes.starts(with: [0xFF, 0xFE]),
            String(validating: bytes, as: UTF8.self) != nil
        else { throw ManifestSyntaxError("The file is not UTF-8.") }
        var check = XMLPropertyListCheck(bytes: bytes)
        try check.run()
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    private mutating func run() throws(ManifestSyntaxError) {
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "<") {
                try readMarkup()
            } else {
                try readCharacter()
            }
        }
        if let last = open.last {
            throw error("<\(last.element.rawValue)> from line \(last.line) is not closed.")
        }
        guard isComplete else { throw error("There is no <plist> in it.") }
    }

    // MARK: Text

    private mutating func readCharacter() throws(ManifestSyntaxError) {
        let byte = bytes[index]
        let isLeaf = open.last.map { !$0.element.holdsElements } ?? false
        if byte == UInt8(ascii: "\n") {
            line += 1
        } else if byte == UInt8(ascii: "&"), isLeaf {
            guard isEntity(at: index) else {
                throw error("A & must be written &amp; here.")
            }
        } else if !isLeaf, byte != UInt8(ascii: " "), byte != UInt8(ascii: "\t"), byte != UInt8(ascii: "\r") {
            throw error("There is text outside of a value.")
        }
        index += 1
    }

    private func isEntity(at index: Int) -> Bool {
        let rest = bytes[index...].prefix(12)
        guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else { return false }
        let name = String(decoding: rest[(index + 1)..<end], as: UTF8.self)
        return ["lt", "gt", "amp", "quot", "apos"].contains(name) || (name.hasPrefix("#") && name.utf8.count > 1)
    }

    // MARK: Markup

    private mutating func readMarkup() throws(ManifestSyntaxError) {
        if starts(with: "<!--") {
            try skip(past: "-->", what: "The comment")
        } else if starts(with: "<?") {
            try skip(past: "?>", what: "The instruction")
        } else if starts(with: "<![CDATA[") {
            guard let last = open.last, !last.element.holdsElements else {
                throw error("There is text outside of a value.")
            }
            try skip(past: "]]>", what: "The CDATA section")
        } else if starts(with: "<!DOCTYPE") {
            let start = index
            try skip(past: ">", what: "The document type")
            if bytes[start..<index].contains(UInt8(ascii: "[")) {
                throw error("A document type with declarations of its own is not accepted.")
            }
        } else {
            try readTag()
        }
    }

    private mutating func readTag() throws(ManifestSyntaxError) {
        let start = index
        let startLine = line
        try skip(past: ">", what: "The tag")
        var tag = bytes[(start + 1)..<(index - 1)]
        let isClosing = tag.first == UInt8(ascii: "/")
        let isEmpty = tag.last == UInt8(ascii: "/") && !isClosing
        if isClosing { tag = tag.dropFirst() }
        if isEmpty { tag = tag.dropLast() }
        let name = String(decoding: tag.prefix { $0 > 0x20 }, as: UTF8.self)
        guard let element = Element(rawValue: name) else {
            throw ManifestSyntaxError(line: startLine, "A property list has no element <\(printable(name))>.")
        }
        if isClosing {
            try close(element, contentEnd: start)
        } else {
            try begin(element, line: startLine)
            if isEmpty { try close(element, contentEnd: index) }
        }
    }

    private mutating func begin(_ element: Element, line: Int) throws(ManifestSyntaxError) {
        guard !isComplete else { throw ManifestSyntaxError(line: line, "There is more text after </plist>.") }
        guard open.count < Self.depthLimit else {
            throw ManifestSyntaxError(line: line, "Arrays and dictionaries nest deeper than \(Self.depthLimit) levels.")
        }
        if let parent = open.last {
            try check(element, in: parent, line: line)
            open[open.count - 1].hasContent = true
        } else if element != .plist {
            throw ManifestSyntaxError(line: line, "<\(element.rawValue)> stands outside of <plist>.")
        }
        open.append(Open(element: element, line: line, contentStart: index))
    }

    private func check(_ element: Element, in parent: Open, line: Int) throws(ManifestSyntaxError) {
        let problem: String?
        switch parent.element {
        case .dict:
            if let key = parent.waitingKey, element == .key {
                problem = "The key “\(printable(key))” has no value."
            } else if parent.waitingKey == nil, element != .key {
                problem = "<\(element.rawValue)> has no key before it."
            } else {
                problem = nil
            }
        case .plist:
            problem = parent.hasContent ? "There is more than one value in <plist>." : nil
        case .array:
            problem = nil
        case .key, .string, .integer, .real, .date, .data, .yes, .no:
            let name = parent.element.rawValue
            problem = "<\(name)> from line \(parent.line) is not closed before <\(element.rawValue)>."
        }
        if let problem { throw ManifestSyntaxError(line: line, problem) }
        if element == .plist || (element == .key && parent.element != .dict) {
            throw ManifestSyntaxError(line: line, "<\(element.rawValue)> does not belong here.")
        }
    }

    private mutating func close(_ element: Element, contentEnd: Int) throws(ManifestSyntaxError) {
        guard let last = open.popLast() else { throw error("</\(element.rawValue)> closes nothing.") }
        guard last.element == element else {
            throw error("</\(element.rawValue)> closes <\(last.element.rawValue)> from line \(last.line).")
        }
        if let key = last.waitingKey { throw error("The key “\(printable(key))” has no value.") }
        guard let parent = open.indices.last else {
            guard last.hasContent else { throw error("There is no value in <plist>.") }
            isComplete = true
            return
        }
        guard open[parent].element == .dict else { return }
        if element == .key {
            let end = max(contentEnd, last.contentStart)
            let key = String(decoding: bytes[last.contentStart..<end], as: UTF8.self)
            guard open[parent].keys.insert(key).inserted else {
                throw error("The key “\(printable(key))” is there twice.")
            }
            open[parent].waitingKey = key
        } else {
            open[parent].waitingKey = nil
        }
    }

    // MARK: Bytes

    private func starts(with text: StaticString) -> Bool {
        text.withUTF8Buffer { bytes[index...].starts(with: $0) }
    }

    private mutating func skip(past end: StaticString, what: String) throws(ManifestSyntaxError) {
        let startLine = line
        while index < bytes.count {
            if starts(with: end) {
                index += end.utf8CodeUnitCount
                return
            }
            if bytes[index] == UInt8(ascii: "\n") { line += 1 }
            index += 1
        }
        throw ManifestSyntaxError(line: startLine, "\(what) is not closed.")
    }

    private func error(_ message: String) -> ManifestSyntaxError {
        ManifestSyntaxError(line: line, message)
    }

    private func printable(_ text: String) -> String {
        String(text.prefix(64).map { $0.isNewline ? " " : $0 })
    }
}
