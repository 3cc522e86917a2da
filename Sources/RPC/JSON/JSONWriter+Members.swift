/// A name and its value in one call; an optional value that is nil leaves the member out.
extension JSONWriter {
    package mutating func member(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        key(name)
        string(value)
    }

    package mutating func member(_ name: StaticString, _ value: Int?) {
        guard let value else { return }
        key(name)
        integer(value)
    }

    package mutating func member(_ name: StaticString, _ value: Int64?) {
        guard let value else { return }
        key(name)
        integer(value)
    }

    package mutating func member(_ name: StaticString, _ value: Double?) {
        guard let value else { return }
        key(name)
        double(value)
    }

    package mutating func member(_ name: StaticString, _ value: Bool?) {
        guard let value else { return }
        key(name)
        bool(value)
    }

    package mutating func member(_ name: StaticString, _ value: JSONValue?) {
        guard let value else { return }
        key(name)
        self.value(value)
    }

    /// Milliseconds since 1970.
    package mutating func member(_ name: StaticString, date milliseconds: Int64?) {
        guard let milliseconds else { return }
        key(name)
        date(milliseconds: milliseconds)
    }

    /// A duration in milliseconds, written as a number of seconds.
    package mutating func member(_ name: StaticString, seconds milliseconds: Int64?) {
        guard let milliseconds else { return }
        key(name)
        seconds(milliseconds: milliseconds)
    }

    package mutating func member(_ name: StaticString, strings: [String]?) {
        guard let strings else { return }
        key(name)
        beginArray()
        for string in strings { self.string(string) }
        endArray()
    }

    package mutating func object<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        beginObject()
        try body(&self)
        endObject()
    }

    package mutating func array<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        beginArray()
        try body(&self)
        endArray()
    }

    /// A duration in milliseconds as a number of seconds: 1500 is `1.5`.
    package mutating func seconds(milliseconds: Int64) {
        if milliseconds % 1_000 == 0 {
            integer(milliseconds / 1_000)
        } else {
            double(Double(milliseconds) / 1_000)
        }
    }
}
