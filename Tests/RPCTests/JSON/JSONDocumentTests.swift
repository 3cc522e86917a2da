import Testing

@testable import RPC

struct JSONDocumentTests {
    private func failure(_ text: String, depthLimit: Int? = 32) -> JSONSyntaxError? {
        do throws(JSONSyntaxError) {
            _ = try JSONDocument.parse(Array(text.utf8), depthLimit: depthLimit)
            return nil
        } catch {
            return error
        }
    }

    @Test("a duplicate name is named, however it is written and however long it is")
    func duplicateNames() {
        #expect(failure(#"{"a":1,"a":2}"#)?.reason == .duplicateName("a"))
        #expect(failure(#"{"a":1,"\u0061":2}"#)?.reason == .duplicateName("a"))
        #expect(failure(#"{"say \"x\"":1, "say \"x\"":2}"#)?.reason == .duplicateName(#"say "x""#))
        #expect(failure(#"[{"é":{}},{"é":1,"b":2,"é":3}]"#)?.reason == .duplicateName("é"))
        let long = String(repeating: "n", count: 300)
        let error = failure("{\"\(long)\":1,\"\(long)\":2}")
        #expect(error?.reason == .duplicateName(long))
        #expect(error?.message.count ?? 999 < 200)
    }

    @Test(
        "texts that are not strict are refused for the right reason",
        arguments: [
            ("", JSONSyntaxError.Reason.incomplete),
            ("   ", .incomplete),
            (#"{"a":1"#, .incomplete),
            ("\u{FEFF}{}", .byteOrderMark),
            ("{}\u{0}", .nulByte),
            ("[1\u{0}]", .nulByte),
            ("[1\u{0},2]", .nulByte),
            (#"{"a\u0000b":1}"#, .nulInName),
            ("[12345678901234567890]", .numberTooLarge),
            ("[1e999]", .numberTooLarge),
            ("{} {}", .syntax),
            ("[1,]", .syntax),
            ("[NaN]", .syntax),
            ("// no\n{}", .syntax),
            (#"["\ud800"]"#, .syntax),
            ("1", .syntax),
            (#""text""#, .syntax),
        ])
    func strictness(_ text: String, _ reason: JSONSyntaxError.Reason) {
        #expect(failure(text)?.reason == reason)
    }

    @Test("bytes that are not UTF-8 are refused")
    func invalidUTF8() {
        let bytes: [UInt8] = [UInt8(ascii: "["), UInt8(ascii: "\""), 0xFF, UInt8(ascii: "\""), UInt8(ascii: "]")]
        #expect(throws: JSONSyntaxError.self) { try JSONDocument.parse(bytes) }
    }

    @Test("NUL is legal within a string")
    func nulInString() throws {
        let document = try JSONDocument.parse(Array(#"["a\u0000b"]"#.utf8))
        #expect(document.root.array?.first?.string == "a\0b")
    }

    @Test("an error tells line and column")
    func places() {
        let error = failure("{\n  \"a\": 1,\n  \"b\": x\n}")
        #expect(error?.line == 3)
        #expect(error?.message.hasPrefix("The text is not valid JSON at line 3, column ") == true)
        let deep = failure("[\n[\n[é]]]", depthLimit: 2)
        #expect(deep?.reason == .tooDeep(limit: 2))
        #expect(deep?.line == 3)
        #expect(deep?.column == 1)
    }

    @Test("depth is counted outside of strings, just under and just over the limit", arguments: [1, 2, 32, 100])
    func depth(_ limit: Int) {
        let text = String(repeating: "[{\"[[[{\\\"[\":", count: limit)
        #expect(JSONDepth.exceeds(limit * 2 - 1, Array(text.utf8)))
        #expect(!JSONDepth.exceeds(limit * 2, Array(text.utf8)))
        let nested = String(repeating: "[", count: limit) + String(repeating: "]", count: limit)
        #expect(failure(nested, depthLimit: limit) == nil)
        #expect(failure("[" + nested + "]", depthLimit: limit)?.reason == .tooDeep(limit: limit))
    }

    @Test("without a limit of ours the library's own bound holds")
    func libraryBound() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(failure(deep, depthLimit: nil)?.reason == .tooDeep(limit: 2_048))
    }

    @Test("values are read by kind, and as nothing else")
    func kinds() throws {
        let text = #"{"s":"é","i":-5,"r":1.5,"w":5.0,"h":1e300,"t":true,"f":false,"n":null,"a":[1,2],"o":{"x":1}}"#
        let root = try JSONDocument.parse(Array(text.utf8)).root
        #expect(root.kind == .object)
        #expect(root.count == 10)
        #expect(root["s"]?.string == "é")
        #expect(root["s"]?.integer == nil)
        #expect(root["i"]?.integer == -5)
        #expect(root["i"]?.number == -5)
        #expect(root["i"]?.string == nil)
        #expect(root["r"]?.integer == nil)
        #expect(root["r"]?.number == 1.5)
        #expect(root["w"]?.integer == 5)
        #expect(root["h"]?.integer == nil)
        #expect(root["t"]?.bool == true)
        #expect(root["f"]?.bool == false)
        #expect(root["n"]?.isNull == true)
        #expect(root["n"]?.bool == nil)
        #expect(root["a"]?.array?.map { $0.integer } == [1, 2])
        #expect(root["o"]?["x"]?.integer == 1)
        #expect(root["a"]?["x"] == nil)
        #expect(root["missing"] == nil)
        #expect(root.members?.map { $0.name } == ["s", "i", "r", "w", "h", "t", "f", "n", "a", "o"])
        #expect(root.array == nil)
    }

    @Test("a value keeps its text alive")
    func lifetime() throws {
        func value() throws -> JSONValue? {
            try JSONDocument.parse(Array(#"{"a":["kept"]}"#.utf8)).root["a"]
        }
        #expect(try value()?.array?.first?.string == "kept")
    }
}

extension JSONDepth {
    fileprivate static func exceeds(_ limit: Int, _ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { offset(exceeding: limit, $0) != nil }
    }
}
