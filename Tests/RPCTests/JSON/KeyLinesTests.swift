import Testing

@testable import RPC

@Suite("The lines of keys")
struct KeyLinesTests {
    private func line(of key: String, _ text: String) -> Int? {
        KeyLines(Array(text.utf8)).line(of: key)
    }

    private static let text = """
        {   // "a": no key
            "a": 1,
            "list": [
                7, {
                    "b": {"c": [[], [true,
                        false]]},
                    "d.e": "x\\"{[,\\\\", "f": null
                }
            ],
            "\\u0067": {}, "http://h": 2,
            "empty": [ ]
        }
        """

    @Test(
        "are those of names, and of the elements of arrays",
        arguments: [
            ("", 1), ("a", 2), ("list", 3), ("list[0]", 4), ("list[1]", 4), ("list[1].b", 5), ("list[1].b.c", 5),
            ("list[1].b.c[1]", 5), ("list[1].b.c[1][0]", 5), ("list[1].b.c[1][1]", 6), ("list[1].d.e", 7),
            ("list[1].f", 7), ("g", 10), ("http://h", 10), ("empty", 11),
        ])
    func lines(key: String, line: Int) {
        #expect(self.line(of: key, Self.text) == line)
    }

    @Test(
        "are those of what a missing key would stand in",
        arguments: [
            ("none", 1), ("list[1].none", 4), ("list[2]", 3), ("list[1].b.c[7].x.y", 5), ("empty[0]", 11),
            ("list[1].d.none", 4), ("[0]", 1), (".", 1),
        ])
    func missing(key: String, line: Int) {
        #expect(self.line(of: key, Self.text) == line)
    }

    @Test("below a very long name there are none, so that a file cannot fill the memory with paths")
    func longNames() {
        let name = String(repeating: "n", count: 201)
        let text = "{\n\"\(name)\": [\n1]}"
        #expect(line(of: "\(name)[0]", text) == 2)
        #expect(line(of: "\(name.dropFirst())[0]", "{\n\"\(name.dropFirst())\": [\n1]}") == 3)
    }

    @Test("every text that is accepted is gone through to its end")
    func anyText() {
        for text in [
            "{}", "[]", "[{}]", " [ 1 , 2 ] ", "{\"a\":\"\\\\\"}", "[\"\\ud83d\\ude00\"]", "[1e5,-0.5]",
            "{\"\":{\"\":[]}}",
        ] {
            #expect((try? CommentedJSON.parse(Array(text.utf8))) != nil)
            #expect(line(of: "x", text) == 1)
        }
    }
}
