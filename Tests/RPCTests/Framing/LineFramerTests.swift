import Testing

@testable import RPC

struct LineFramerTests {
    private enum Event: Equatable {
        case line(String)
        case notJSON
        case tooLong
    }

    /// Everything that comes out when the bytes arrive in these pieces.
    private func frames(_ pieces: [[UInt8]], limit: Int = 1_000, finishes: Bool = true) -> [Event] {
        var framer = LineFramer(limit: limit)
        var events: [Event] = []
        func record(_ frame: LineFramer.Frame) {
            switch frame {
            case .line(let line):
                framer.withLine(line) { events.append(.line(String(decoding: $0, as: UTF8.self))) }
            case .notJSON: events.append(.notJSON)
            case .tooLong: events.append(.tooLong)
            }
        }
        for piece in pieces {
            piece.withUnsafeBytes { framer.append($0) }
            while let frame = framer.next() { record(frame) }
        }
        if finishes, let frame = framer.finish() { record(frame) }
        return events
    }

    private func frames(_ text: String, limit: Int = 1_000) -> [Event] {
        frames([Array(text.utf8)], limit: limit)
    }

    static let streams = [
        "{\"a\":1}\n[2]\n",
        "\n\r\n  \t\r\n{\"é日👩‍👧\":\"é\"}\r\n\n[1]",
        "  {\"a\":1}  \r\n{}\r\r\n",
        "{\"a\":1}\nno\n{\"b\":2}\n",
        "{\"a\":1}\n" + String(repeating: "[", count: 60) + "\n{}\n",
        "{}\n" + String(repeating: " ", count: 60) + "\n{}\n",
        "{}\n" + String(repeating: " ", count: 45) + "{}      \n{}\n",
        "\u{FEFF}{}\n",
    ]

    @Test("the place where a stream is cut changes nothing", arguments: streams)
    func split(_ text: String) {
        let bytes = Array(text.utf8)
        let whole = frames([bytes], limit: 50)
        #expect(!whole.isEmpty)
        for cut in 0...bytes.count {
            #expect(frames([Array(bytes[..<cut]), Array(bytes[cut...])], limit: 50) == whole)
        }
        #expect(frames(bytes.map { [$0] }, limit: 50) == whole)
    }

    @Test("lines end with LF, a CR before it is dropped, and blank lines count for nothing")
    func lines() {
        #expect(frames("{\"a\":1}\r\n\r\n \t \n[2]\n") == [.line("{\"a\":1}"), .line("[2]")])
        #expect(frames("  {} \n") == [.line("{} ")])
    }

    @Test("a last line without LF comes at the end")
    func lastLine() {
        #expect(frames("{}\n[1") == [.line("{}"), .line("[1")])
        #expect(frames("{}\n{}\r") == [.line("{}"), .line("{}")])
        #expect(frames("{}\n   ") == [.line("{}")])
    }

    @Test(
        "a line that is no JSON is found at its first byte, and nothing follows",
        arguments: ["G", "\"", "1", "}", "\0"])
    func notJSON(_ first: String) {
        #expect(frames([Array("{}\n  \(first)".utf8)], finishes: false) == [.line("{}"), .notJSON])
        #expect(frames("\(first)\n{}\n") == [.notJSON])
    }

    @Test("a line may be as long as the limit and no longer")
    func limit() {
        let longest = "[" + String(repeating: "1", count: 48) + "]"
        #expect(frames(longest + "\n", limit: 50) == [.line(longest)])
        #expect(frames(longest, limit: 50) == [.line(longest)])
        #expect(frames(longest + " \n{}\n", limit: 50) == [.tooLong])
        #expect(frames(" " + longest + "\n", limit: 50) == [.tooLong])
    }

    @Test("a line is too long as soon as it is, before its end has come")
    func limitBeforeEnd() {
        let bytes = Array("[".utf8) + Array(repeating: UInt8(ascii: "1"), count: 50)
        #expect(frames([Array(bytes[..<50])], limit: 50, finishes: false) == [])
        #expect(frames([bytes], limit: 50, finishes: false) == [.tooLong])
        #expect(frames([Array(repeating: UInt8(ascii: " "), count: 51)], limit: 50, finishes: false) == [.tooLong])
    }

    @Test("finished lines do not stay in memory")
    func memory() {
        var framer = LineFramer(limit: 1_000)
        let line = Array("{\"a\":1}\n{\"b\"".utf8)
        let rest = Array(":2}\n".utf8)
        for _ in 0..<1_000 {
            line.withUnsafeBytes { framer.append($0) }
            #expect(framer.next() != nil)
            #expect(framer.next() == nil)
            #expect(framer.bufferedCount == 4)
            rest.withUnsafeBytes { framer.append($0) }
            #expect(framer.next() != nil)
            #expect(framer.next() == nil)
            #expect(framer.bufferedCount == 0)
        }
    }
}
