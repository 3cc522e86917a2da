/// Reads XML or this project's HTML and says what is wrong with it: a small reader that forgives nothing.
struct StrictMarkup {
    /// Elements that HTML does not close.
    private static let void: Set<String> = ["meta", "br", "wbr"]
    private static let escapes: [(name: [UInt8], character: UInt8)] = [
        ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"),
    ].map { (Array($0.0.utf8), Array($0.1.utf8)[0]) }

    private(set) var problem: String?
    /// The names of all elements.
    private(set) var elements: [String] = []
    /// All names of attributes.
    private(set) var attributes: Set<String> = []
    /// All texts and values of attributes, with their escapes undone.
    var text: String { String(decoding: plain, as: UTF8.self) }

    private let bytes: [UInt8]
    private var place = 0
    private var plain: [UInt8] = []

    init(_ markup: String, html: Bool) {
        bytes = Array(markup.utf8)
        var open: [String] = []
        skipDeclaration()
        while problem == nil, place < bytes.count {
            if bytes[place] != UInt8(ascii: "<") {
                readText(until: UInt8(ascii: "<"))
            } else if has("</") {
                place += 2
                let name = readName()
                if open.popLast() != name || !take(">") { fail("closes what is not open: \(name)") }
            } else {
                readElement(html, &open)
            }
        }
        if !open.isEmpty { fail("left open: \(open)") }
    }

    // MARK: Private

    private mutating func fail(_ text: String) {
        problem = problem ?? "\(text), before: \(String(decoding: bytes[place...].prefix(80), as: UTF8.self))"
    }

    private func has(_ text: String) -> Bool {
        bytes[place...].starts(with: text.utf8)
    }

    private mutating func take(_ text: String) -> Bool {
        guard has(text) else { return false }
        place += text.utf8.count
        return true
    }

    private mutating func skipDeclaration() {
        guard has("<?xml ") || has("<!DOCTYPE html>") else { return }
        while bytes[place] != UInt8(ascii: ">") { place += 1 }
        place += 1
    }

    private mutating func readElement(_ html: Bool, _ open: inout [String]) {
        place += 1
        let name = readName()
        if name.isEmpty { return fail("not a tag") }
        elements.append(name)
        var seen: Set<String> = []
        while take(" ") {
            let attribute = readName()
            if attribute.isEmpty { break }
            if !seen.insert(attribute).inserted { return fail("twice: \(attribute)") }
            attributes.insert(attribute)
            if take("=\"") {
                plain.append(UInt8(ascii: "\n"))
                readText(until: UInt8(ascii: "\""))
                if !take("\"") { return fail("a value without an end") }
            } else if !html {
                return fail("an attribute without a value")
            }
        }
        if take("/>") { return }
        if !take(">") { return fail("a tag without an end") }
        if html, Self.void.contains(name) { return }
        if name == "script" || name == "style" {
            while place < bytes.count, !has("</") { place += 1 }
        }
        open.append(name)
    }

    private mutating func readName() -> String {
        let start = place
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: ":"):
                place += 1
            default: return String(decoding: bytes[start..<place], as: UTF8.self)
            }
        }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    private mutating func readText(until end: UInt8) {
        while place < bytes.count, bytes[place] != end {
            switch bytes[place] {
            case UInt8(ascii: "&"):
                guard let escape = Self.escapes.first(where: { bytes[place...].starts(with: $0.name) }) else {
                    return fail("an escape that nobody knows")
                }
                plain.append(escape.character)
                place += escape.name.count
            case UInt8(ascii: "<"), UInt8(ascii: ">"): return fail("a stray angle bracket")
            case 0..<0x20 where bytes[place] != 0x0A: return fail("a control character")
            default:
                plain.append(bytes[place])
                place += 1
            }
        }
    }
}
