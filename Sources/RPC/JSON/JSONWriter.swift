/// Appends JSON to a buffer that is kept and used again. It sets the commas, and refuses to write what is not JSON.
package struct JSONWriter: Sendable {
    /// Everything written so far.
    package internal(set) var bytes: [UInt8] = []

    /// What may come next.
    private var expected: Expected = .value
    /// One bit a level, lowest last opened: 1 for an object, 0 for an array.
    private var containers: UInt64 = 0
    package private(set) var depth = 0

    fileprivate enum Expected {
        /// The text's only value, or a member's; can transition to any other state.
        case value
        /// An array's first element or its end.
        case firstElement
        /// An array's next element, after a comma, or its end.
        case element
        /// An object's first name or its end.
        case firstName
        /// An object's next name, after a comma, or its end.
        case name
        /// Nothing: the text is complete; can transition to `value` for the next line.
        case end
    }

    package init() {}

    package init(reserving capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    package mutating func reserve(_ capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    /// True when a whole value stands there and nothing is open.
    package var isComplete: Bool { depth == 0 && expected == .end }

    /// Forgets what was written and keeps the memory.
    package mutating func reset() { forget(keepingCapacity: true) }

    mutating func forget(keepingCapacity: Bool) {
        bytes.removeAll(keepingCapacity: keepingCapacity)
        expected = .value
        containers = 0
        depth = 0
    }

    /// Ends a complete text with LF, so that another can follow.
    package mutating func endLine() {
        precondition(isComplete, "a JSON line ends before its value does")
        bytes.append(UInt8(ascii: "\n"))
        expected = .value
    }

    // MARK: Containers

    package mutating func beginObject() { open(UInt8(ascii: "{"), isObject: true) }
    package mutating func endObject() { close(UInt8(ascii: "}"), isObject: true) }
    package mutating func beginArray() { open(UInt8(ascii: "["), isObject: false) }
    package mutating func endArray() { close(UInt8(ascii: "]"), isObject: false) }

    /// A member's name that is known at compile time: printable ASCII without quotes, copied as it is.
    package mutating func key(_ name: StaticString) {
        assert(name.isPlain, "a constant member name needs no escapes")
        let needsComma = beginsNextName()
        let start = name.utf8Start
        let count = name.utf8CodeUnitCount
        bytes.append(addingCapacity: count + 4) { span in
            if needsComma { span.append(UInt8(ascii: ",")) }
            span.append(UInt8(ascii: "\""))
            span.append(contentsOf: UnsafeBufferPointer(start: start, count: count))
            span.append(UInt8(ascii: "\""))
            span.append(UInt8(ascii: ":"))
        }
        expected = .value
    }

    /// A member's name that comes from somewhere else.
    package mutating func key(dynamic name: String) {
        beginName()
        appendQuoted(name)
        bytes.append(UInt8(ascii: ":"))
        expected = .value
    }

    // MARK: Values

    package mutating func string(_ value: String) {
        beginValue()
        appendQuoted(value)
        endValue()
    }

    /// A string whose UTF-8 is known to be valid.
    package mutating func string(utf8 value: UnsafeBufferPointer<UInt8>) {
        beginValue()
        JSONText.appendQuoted(value, to: &bytes)
        endValue()
    }

    package mutating func integer(_ value: Int64) {
        beginValue()
        JSONText.append(value, to: &bytes)
        endValue()
    }

    package mutating func integer(_ value: Int) { integer(Int64(value)) }

    /// The shortest digits that read back as the same number; null for what JSON cannot say (infinities, not a number).
    package mutating func double(_ value: Double) {
        beginValue()
        JSONText.append(value, to: &bytes)
        endValue()
    }

    package mutating func bool(_ value: Bool) {
        if value { literal("true") } else { literal("false") }
    }

    package mutating func null() { literal("null") }

    /// Milliseconds since 1970 as an RFC 3339 string in UTC.
    package mutating func date(milliseconds: Int64) {
        beginValue()
        bytes.append(addingCapacity: RFC3339.length + 2) { span in
            span.append(UInt8(ascii: "\""))
            RFC3339.append(milliseconds, to: &span)
            span.append(UInt8(ascii: "\""))
        }
        endValue()
    }

    /// One complete value that somebody has written already.
    package mutating func raw(_ value: [UInt8]) {
        beginValue()
        bytes.append(contentsOf: value)
        endValue()
    }

    package mutating func raw(_ value: UnsafeRawBufferPointer) {
        beginValue()
        bytes.append(contentsOf: value)
        endValue()
    }

    /// Members of an object that somebody has written already, at least one, without the braces.
    package mutating func members(raw members: [UInt8]) {
        beginName()
        bytes.append(contentsOf: members)
        expected = .name
    }

    /// A value from a parsed text.
    package mutating func value(_ value: JSONValue) {
        beginValue()
        JSONText.append(value, to: &bytes)
        endValue()
    }

    /// Whole members, as constant text, in front of the next value: `"jsonrpc":"2.0","id":`.
    mutating func prefix(_ text: StaticString) {
        beginName()
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        expected = .value
    }

    // MARK: Undoing

    /// A place to come back to.
    struct Mark {
        fileprivate let count: Int
        fileprivate let expected: Expected
        fileprivate let containers: UInt64
        fileprivate let depth: Int
    }

    var mark: Mark { Mark(count: bytes.count, expected: expected, containers: containers, depth: depth) }

    mutating func rewind(to mark: Mark) {
        bytes.removeSubrange(mark.count...)
        expected = mark.expected
        containers = mark.containers
        depth = mark.depth
    }

    /// True when exactly one value was written since the mark, which was set where a value had to come.
    func isOneValue(since mark: Mark) -> Bool {
        depth == mark.depth && bytes.count > mark.count && (expected == .name || expected == .end)
    }

    /// Takes what was written so far, which may be several lines, and starts afresh.
    mutating func takeBytes() -> [UInt8] {
        precondition(depth == 0, "a JSON text is taken before it is complete")
        let taken = bytes
        bytes = []
        expected = .value
        return taken
    }

    /// Forgets the first bytes, which have gone out.
    mutating func dropFirst(_ count: Int) {
        bytes.removeFirst(count)
    }

    // MARK: Private

    private mutating func open(_ bracket: UInt8, isObject: Bool) {
        precondition(depth < UInt64.bitWidth, "JSON is written deeper than 64 levels")
        beginValue()
        bytes.append(bracket)
        containers = containers << 1 | (isObject ? 1 : 0)
        depth += 1
        expected = isObject ? .firstName : .firstElement
    }

    private mutating func close(_ bracket: UInt8, isObject: Bool) {
        let mayClose =
            isObject
            ? expected == .firstName || expected == .name
            : expected == .firstElement || expected == .element
        precondition(mayClose, "a JSON container is closed where it cannot end")
        bytes.append(bracket)
        containers >>= 1
        depth -= 1
        endValue()
    }

    private mutating func beginName() {
        if beginsNextName() { bytes.append(UInt8(ascii: ",")) }
    }

    /// Whether a comma must come before the name that comes now.
    private func beginsNextName() -> Bool {
        switch expected {
        case .firstName: false
        case .name: true
        case .value, .firstElement, .element, .end: preconditionFailure("a JSON name is written outside of an object")
        }
    }

    private mutating func beginValue() {
        switch expected {
        case .value, .firstElement: break
        case .element: bytes.append(UInt8(ascii: ","))
        case .firstName, .name, .end: preconditionFailure("a JSON value is written where none can be")
        }
    }

    private mutating func endValue() {
        if depth == 0 {
            expected = .end
        } else {
            expected = containers & 1 == 1 ? .name : .element
        }
    }

    private mutating func literal(_ text: StaticString) {
        beginValue()
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        endValue()
    }

    private mutating func appendQuoted(_ value: String) {
        let isContiguous: Void? = value.utf8.withContiguousStorageIfAvailable { JSONText.appendQuoted($0, to: &bytes) }
        if isContiguous == nil {
            Array(value.utf8).withUnsafeBufferPointer { JSONText.appendQuoted($0, to: &bytes) }
        }
    }
}

extension StaticString {
    /// Needs no escapes within JSON.
    fileprivate var isPlain: Bool {
        hasPointerRepresentation
            && UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount).allSatisfy {
                (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
            }
    }
}
