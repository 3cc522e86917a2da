import Testing

@testable import RPC

struct JSONWriterTests {
    private func text(_ body: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        body(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func parsed(_ writer: JSONWriter) throws -> JSONValue {
        try JSONDocument.parse(writer.bytes, allowsFragments: true, depthLimit: 64).root
    }

    @Test("commas stand between elements and members, and nowhere else")
    func commas() {
        let result = text { writer in
            writer.beginObject()
            writer.key("empty")
            writer.beginArray()
            writer.endArray()
            writer.key("list")
            writer.beginArray()
            writer.integer(1)
            writer.beginObject()
            writer.endObject()
            writer.array { $0.null() }
            writer.string("x")
            writer.endArray()
            writer.member("last", true)
            writer.endObject()
        }
        #expect(result == #"{"empty":[],"list":[1,{},[null],"x"],"last":true}"#)
    }

    @Test("a member whose value is nil is left out")
    func absentMembers() {
        let result = text { writer in
            writer.object { writer in
                writer.member("a", nil as String?)
                writer.member("b", 1)
                writer.member("c", nil as Bool?)
                writer.member("d", date: nil)
                writer.member("e", strings: ["x", "y"])
                writer.member("f", seconds: 1_500)
                writer.member("g", seconds: -2_000)
                writer.member("h", 0.5)
            }
        }
        #expect(result == #"{"b":1,"e":["x","y"],"f":1.5,"g":-2,"h":0.5}"#)
    }

    @Test("strings read back as they were, whatever is in them")
    func strings() throws {
        var samples = [
            "", "plain", "é", "日本語", "👩‍👩‍👧", "\"\\/", "a\u{2028}b", "\u{7F}", String(repeating: "x", count: 5_000),
        ]
        samples += (0..<32).map { "before\(Unicode.Scalar(UInt8($0)))after" }
        samples += samples.map { $0 + "\n" + $0 }
        for sample in samples {
            var writer = JSONWriter()
            writer.string(sample)
            #expect(try parsed(writer).string == sample)
            var named = JSONWriter()
            named.object { writer in
                guard !sample.contains("\0") else { return }
                writer.key(dynamic: sample)
                writer.null()
            }
            #expect(try parsed(named).members?.allSatisfy { $0.name == sample } == true)
        }
    }

    @Test("control characters become the escapes that JSON knows")
    func escapes() {
        #expect(text { $0.string("\u{8}\u{C}\n\r\t\u{1}\u{1F}\"\\") } == #""\b\f\n\r\t\u0001\u001f\"\\""#)
    }

    @Test("integers are exact to both ends")
    func integers() {
        for value in [0, 9, 10, -1, 99, 100, 1_000_000_007, Int64.max, Int64.min, Int64.max - 1] {
            #expect(text { $0.integer(value) } == String(value))
        }
    }

    @Test("numbers have the fewest digits that read back as the same number")
    func doubles() throws {
        #expect(text { $0.double(5) } == "5")
        #expect(text { $0.double(0.1) } == "0.1")
        #expect(text { $0.double(-0.0) } == "-0.0")
        #expect(text { $0.double(.nan) } == "null")
        #expect(text { $0.double(-.infinity) } == "null")
        var random = SystemRandomNumberGenerator()
        var samples: [Double] = [
            1e300, -1e-300, Double.leastNonzeroMagnitude, Double.greatestFiniteMagnitude, 9_007_199_254_740_992,
            9_007_199_254_740_994, 1e16, 0.3,
        ]
        for _ in 0..<2_000 {
            let value = Double(bitPattern: random.next())
            if value.isFinite { samples.append(value) }
        }
        for sample in samples {
            var writer = JSONWriter()
            writer.double(sample)
            #expect(try parsed(writer).number == sample)
        }
    }

    @Test("a parsed value is written as it was read")
    func values() throws {
        let compact = #"{"z":[1,-2.5,"é\n",true,false,null,{}],"a":{"b":[]},"big":9223372036854775807}"#
        let root = try JSONDocument.parse(Array(compact.utf8)).root
        #expect(text { root.write(into: &$0) } == compact)
        let both = text { writer in
            writer.array { writer in
                writer.value(root)
                writer.raw(Array("7".utf8))
                writer.value(root)
            }
        }
        #expect(both == "[\(compact),7,\(compact)]")
    }

    @Test("a writer is used again after reset, and holds many lines")
    func lines() {
        let result = text { writer in
            writer.object { _ in }
            writer.reset()
            writer.integer(1)
            writer.endLine()
            writer.array { _ in }
            writer.endLine()
        }
        #expect(result == "1\n[]\n")
    }

    @Test("what was begun can be taken back")
    func rewinding() {
        let result = text { writer in
            writer.beginObject()
            writer.member("a", 1)
            let mark = writer.mark
            writer.key("b")
            writer.beginArray()
            writer.beginObject()
            writer.rewind(to: mark)
            writer.member("c", 2)
            writer.endObject()
        }
        #expect(result == #"{"a":1,"c":2}"#)
    }

    @Test("members that were written before are put between others")
    func rawMembers() {
        let result = text { writer in
            writer.beginObject()
            writer.member("a", 1)
            writer.members(raw: Array(#""b":2,"c":[3]"#.utf8))
            writer.member("d", 4)
            writer.endObject()
        }
        #expect(result == #"{"a":1,"b":2,"c":[3],"d":4}"#)
    }

    @Test("a value without a name in an object ends the process")
    func missingName() async {
        await #expect(processExitsWith: .failure) {
            var writer = JSONWriter()
            writer.beginObject()
            writer.integer(1)
        }
    }

    @Test("a second value after the first ends the process")
    func secondValue() async {
        await #expect(processExitsWith: .failure) {
            var writer = JSONWriter()
            writer.null()
            writer.null()
        }
    }
}
