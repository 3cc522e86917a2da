import RPC

/// Members of results, for people; what is not there reads as nothing.
extension JSONValue {
    func text(_ name: String) -> String {
        self[name]?.string.map { Printable.text($0) } ?? ""
    }

    func flag(_ name: String) -> Bool {
        self[name]?.bool ?? false
    }

    /// Milliseconds since 1970.
    func date(_ name: String) -> Int64? {
        self[name]?.withUTF8 { RFC3339.parse($0) } ?? nil
    }

    /// A number of seconds, in milliseconds.
    func milliseconds(_ name: String) -> Int64? {
        self[name]?.number.flatMap { Int64(exactly: ($0 * 1_000).rounded()) }
    }

    func elements(_ name: String) -> [JSONValue] {
        self[name]?.array.map { Array($0) } ?? []
    }

    /// An integer as text.
    func number(_ name: String) -> String {
        self[name]?.integer.map { String($0) } ?? ""
    }
}
