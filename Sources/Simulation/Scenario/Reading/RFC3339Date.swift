import RPC

/// Dates without a time.
enum RFC3339Date {
    /// Milliseconds since 1970 of the midnight (UTC) at which `2026-03-02` begins.
    static func midnight(_ text: String) -> Int64? {
        text.utf8.count == 10 ? RFC3339.parse(text + "T00:00:00Z") : nil
    }
}
