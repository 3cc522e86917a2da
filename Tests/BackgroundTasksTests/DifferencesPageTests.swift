import Foundation
import Testing

@Suite("docs/differences-from-ios.md")
struct DifferencesPageTests {
    /// The rules that are marked **+**: here more is done than Apple's framework does. Whoever marks another one adds it.
    private static let rules = [4, 6, 7, 10, 11, 12, 13, 24, 25, 26, 27, 32, 34]

    private static let page = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("docs/differences-from-ios.md")

    @Test("has a line in a table for every rule that goes beyond Apple's framework", arguments: rules)
    func names(rule: Int) throws {
        let text = try String(contentsOf: Self.page, encoding: .utf8)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") && $0.contains("(B\(rule))") }
        #expect(rows.count == 1, "\(rows)")
        // What is so on iOS, and what is so here.
        for row in rows { #expect(row.split(separator: "|").filter { !$0.allSatisfy(\.isWhitespace) }.count == 3) }
    }
}
