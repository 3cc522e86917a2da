import Testing

@testable import RPC

struct LineFramerTests {
    private enum Event: Equatable {
        case line(String)
        case notJSON
        case tooLong
        case tooDeep
    }

    /// Everything that comes out when the bytes arrive in these pieces.
    private func frames(_ pieces: [[UInt8]], limit: Int = 1_000, depth: Int = 32, finishes: Bool = true) -> [Event] {
        var framer = LineFramer(limit: limit, depth: depth)
        var events: [Event] = []
        func record(_ frame: LineFramer.Frame) {
            switch frame {
            case .line(let line):
                framer.withLine(line) { events.append(.line(String(decoding: $0, as: UTF8.self))) }
            case .notJSON: events.append(.notJSON)
            case .tooLong: events.append(.tooLong)
            case .tooDeep: events.append(.tooDeep)
            }
        }
        for piece in pieces {
            piece.withUnsafeBytes { framer.append($0) }
            while let frame = framer.next() { record(frame) }
        }
        if finishes, let frame = framer.finish() { record(frame) }
        return events
    }

    private func frames(_ text: String, limit: Int = 1_000, depth: Int = 32) -> [Event] {
        frames([Array(text.utf8)], limit: limit, depth: depth)
    }

    static let streams = [
        "{\"a\":1}\n[2]\n",
        "\n\r\n  \t\r\n{\"é日👩‍👧\":\"é\"}\r\n\n[1]",
        "  {\"a\":1}  \r\n{}\r\r\n",
        "{\"a\":1}\nno\n{\"b\":2}\n",
        "{\"a\":1}\n[" + String(repeating: "1", count: 60) + "\n{}\n",
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

    @Test("a line may nest as deep as the limit and no deeper, and what stands in strings does not count")
    func depth() {
        #expect(frames("[{\"a\":[[]]}]\n", depth: 4) == [.line("[{\"a\":[[]]}]")])
        #expect(frames("[{\"a\":[[]]}]", depth: 4) == [.line("[{\"a\":[[]]}]")])
        #expect(frames("[{\"a\":[[[]]]}]\n{}\n", depth: 4) == [.tooDeep])
        #expect(frames("[[],[],[],[[[]]],[]]\n[[[[]]]]\n", depth: 4).count == 2)
        #expect(frames("[\"[[[[\\\"[[[[\",[[[]]]]\n", depth: 4).count == 1)
        #expect(frames("[\"[[[[\\\\\",[[[[]]]]]\n", depth: 4) == [.tooDeep])
        // Each line is counted anew, an open string in the one before too.
        #expect(frames("[[[[\n[\"\n[[[[\n", depth: 4) == [.line("[[[["), .line("[\""), .line("[[[[")])
    }

    @Test(
        "a line is too deep as soon as it is, before its end has come, and nothing follows",
        arguments: [1, 4, 32, 2_000])
    func depthBeforeEnd(_ depth: Int) {
        let open = Array(repeating: UInt8(ascii: "["), count: depth)
        #expect(frames([open], limit: 5_000, depth: depth, finishes: false) == [])
        #expect(frames([open + [UInt8(ascii: "{")]], limit: 5_000, depth: depth) == [.tooDeep])
        #expect(frames([open, [UInt8(ascii: "[")], Array("\n{}\n".utf8)], limit: 5_000, depth: depth) == [.tooDeep])
    }

    @Test(
        "the place where a stream is cut changes nothing in how deep a line is",
        arguments: [
            "[[\"\\\"[[\",[[]]]]\n[[[[]]]]\n", "[\"\\\\\",\"[[[\\\"\",[[[[[\n{}\n", "[[]]]][[[[[[[\n{}\n",
            "{\"a\":[{\"b\":[\"}]\\\\\\\"\"]}]}\n  [[[[[]]]]]\n{}\n",
            "[{\"[\":[\"" + String(repeating: "[\\\\\\\"", count: 9) + "\"]}]\n[[[[[",
        ])
    func depthSplit(_ text: String) {
        let bytes = Array(text.utf8)
        let whole = frames([bytes], limit: 60, depth: 4)
        #expect(whole.contains(.tooDeep) == text.contains("[[[[["))
        for cut in 0...bytes.count {
            #expect(frames([Array(bytes[..<cut]), Array(bytes[cut...])], limit: 60, depth: 4) == whole, "\(cut)")
        }
        #expect(frames(bytes.map { [$0] }, limit: 60, depth: 4) == whole)
    }

    @Test("of a line that is too long and too deep the first counts", arguments: 45...55)
    func longAndDeep(_ padding: Int) {
        let line = Array(("[1" + String(repeating: " ", count: padding - 2) + "[[[" + "1111111\n").utf8)
        // The bracket that is too deep stands three places behind the padding; the limit is fifty bytes.
        let expected: Event = padding + 2 < 50 ? .tooDeep : .tooLong
        for cut in 0...line.count {
            #expect(frames([Array(line[..<cut]), Array(line[cut...])], limit: 50, depth: 3) == [expected], "\(cut)")
        }
    }

    @Test("finished lines do not stay in memory")
    func memory() {
        var framer = LineFramer(limit: 1_000, depth: 32)
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
