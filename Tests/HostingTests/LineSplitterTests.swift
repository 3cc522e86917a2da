import Testing

@testable import Hosting

@Suite("Cutting output into lines")
struct LineSplitterTests {
    private func lines(_ pieces: [[UInt8]], limit: Int = 8) -> [String] {
        var (splitter, lines) = (LineSplitter(limit: limit), [String]())
        for piece in pieces {
            piece.withUnsafeBytes { bytes in
                splitter.append(bytes) { lines.append(String(decoding: $0, as: UTF8.self)) }
            }
        }
        splitter.end { lines.append(String(decoding: $0, as: UTF8.self)) }
        return lines
    }

    @Test(
        "lines are the same wherever the stream is cut",
        arguments: [
            ("one\ntwo\n", ["one", "two"]),
            ("one\r\ntwo\r\n\r\n", ["one", "two", ""]),
            ("\n\nx", ["", "", "x"]),
            ("12345678\n", ["12345678"]),
            ("12345678\r\n", ["12345678"]),
            ("123456789\nx\n", ["12345678…", "x"]),
            ("1234567\r8\n", ["1234567\r…"]),
            ("a\rb\r\r\nc", ["a\rb\r", "c"]),
            ("äöüßé\n", ["äöüß…"]),
            ("1234567é\n", ["1234567…"]),
            ("12345€\n", ["12345€"]),
            ("123456€\n", ["123456…"]),
            ("12345🙂\n", ["12345…"]),
            ("last", ["last"]),
            ("", []),
        ])
    func boundaries(text: String, expected: [String]) {
        let bytes = Array(text.utf8)
        #expect(lines([bytes]) == expected)
        #expect(lines(bytes.map { [$0] }) == expected)
        for cut in 0...bytes.count {
            #expect(lines([Array(bytes[..<cut]), Array(bytes[cut...])]) == expected)
        }
    }
}
