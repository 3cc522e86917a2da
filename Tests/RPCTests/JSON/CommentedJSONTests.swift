import Testing

@testable import RPC

struct CommentedJSONTests {
    private func parse(_ text: String) throws -> JSONValue {
        try CommentedJSON.parse(Array(text.utf8)).root
    }

    @Test("comments count for nothing outside of strings")
    func comments() throws {
        let text = """
            // about { this "file
            {
              "url": "https://example.org//x", // the address
              "quote": "\\"// no comment", //
              "slash": "a\\\\" // "after"
            }
            // the end
            """
        let root = try parse(text)
        #expect(root["url"]?.string == "https://example.org//x")
        #expect(root["quote"]?.string == "\"// no comment")
        #expect(root["slash"]?.string == "a\\")
    }

    @Test("lines and columns of errors hold")
    func places() {
        let error = #expect(throws: JSONSyntaxError.self) { try parse("// one\n{ // two\n  \"a\": ?\n}") }
        #expect(error?.line == 3)
    }

    @Test(
        "nothing else than comments is forgiven",
        arguments: ["{/* */}", "{,}", "[1,] // no", "/ {}", "{} /", "{'a':1}"])
    func strictness(_ text: String) {
        #expect(throws: JSONSyntaxError.self) { try parse(text) }
    }
}
