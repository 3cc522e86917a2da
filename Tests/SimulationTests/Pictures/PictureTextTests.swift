import Testing

@testable import Simulation

struct PictureTextTests {
    @Test(arguments: [
        ("<a href=\"x\">'&", "&lt;a href=&quot;x&quot;&gt;&#39;&amp;"), ("plain text", "plain text"),
        ("\u{0}\u{1B}\u{7F}\u{85}", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
        ("\u{202E}\u{2066}\u{200F}\u{FEFF}", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
        ("\u{FFFE}\u{FFFF}\u{1FFFF}\u{FFF9}", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
        ("a\nb\tc", "a\u{FFFD}b\u{FFFD}c"), ("👩‍👧", "👩‍👧"), ("日本", "日本"),
    ])
    func `what could be obeyed is escaped or replaced`(text: String, expected: String) {
        #expect(PictureText.escaped(text) == expected)
    }

    @Test
    func `heaps of marks are cut`() {
        #expect(PictureText.clean("Z" + String(repeating: "\u{301}", count: 60)).unicodeScalars.count == 3)
    }

    @Test
    func `a text just within the limit stays whole and one beyond it is shortened`() {
        let whole = String(repeating: "a", count: PictureText.longest)
        #expect(PictureText.clean(whole) == whole)
        let short = PictureText.clean(whole + "b")
        #expect(short.count == PictureText.longest)
        #expect(short.contains("…") && short.hasSuffix("b"))
    }

    @Test(arguments: [(5, "abcde"), (4, "a…de"), (3, "a…e"), (2, "…e"), (1, "…")])
    func `texts are shortened in their middle`(limit: Int, expected: String) {
        #expect(ShortText.middle("abcde", limit: limit) == expected)
        #expect(ShortText.middle("abcde") { $0.count <= limit } == expected)
    }

    @Test(arguments: [
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `digests are those of FIPS 180`(text: String, expected: String) {
        let hex = SHA256.digest(Array(text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(hex == expected)
        #expect(SHA256.source("abc") == "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=")
    }
}
