import FoundationEssentials
import Testing

@testable import RPC

/// The public JSONTestSuite: `y_` must be accepted, `n_` refused, `i_` is the reader's choice.
struct JSONCorpusTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]

        var testDescription: String { name }
    }

    /// Legal for the RFC, refused here on purpose.
    static let refusedOnPurpose: Set<String> = [
        "y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json", "y_object_escaped_null_in_key.json",
    ]

    static let corpus: [Case] = {
        let folder = fixtures + "/jsontestsuite/test_parsing"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().compactMap { name in
            let path = folder + "/" + name
            // Foundation leaks its buffer when it reads an empty file, which the address sanitizer reports.
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            if attributes?[.size] as? UInt64 == 0 { return Case(name: name, bytes: []) }
            return FileManager.default.contents(atPath: path).map { Case(name: name, bytes: Array($0)) }
        }
    }()

    private static let fixtures: String = {
        var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        parts.removeLast(3)
        return parts.joined(separator: "/") + "/Fixtures"
    }()

    private static func cases(_ prefix: String) -> [Case] {
        corpus.filter { $0.name.hasPrefix(prefix) }
    }

    private func accepts(_ bytes: [UInt8], depthLimit: Int?) -> Bool {
        (try? JSONDocument.parse(bytes, allowsFragments: true, depthLimit: depthLimit)) != nil
    }

    @Test("the corpus is all there")
    func completeness() {
        #expect(Self.corpus.count == 318)
        #expect(Self.cases("y_").count == 95)
        #expect(Self.cases("n_").count == 188)
        #expect(Self.cases("i_").count == 35)
    }

    @Test("what must be refused is refused", arguments: cases("n_"))
    func refused(_ case: Case) {
        #expect(!accepts(`case`.bytes, depthLimit: 512))
        #expect(!accepts(`case`.bytes, depthLimit: nil))
    }

    @Test("what must be accepted is accepted, but for duplicates and NUL in names", arguments: cases("y_"))
    func accepted(_ case: Case) {
        #expect(accepts(`case`.bytes, depthLimit: 512) != Self.refusedOnPurpose.contains(`case`.name))
    }

    @Test("an accepted text reads the same after it was written again", arguments: cases("y_") + cases("i_"))
    func roundTrip(_ case: Case) throws {
        guard let document = try? JSONDocument.parse(`case`.bytes, allowsFragments: true, depthLimit: 512) else {
            return
        }
        var writer = JSONWriter()
        writer.value(document.root)
        let again = try JSONDocument.parse(writer.bytes, allowsFragments: true, depthLimit: 512)
        var second = JSONWriter()
        second.value(again.root)
        #expect(second.bytes == writer.bytes)
        #expect(again.root.kind == document.root.kind || document.root.kind == .real)
    }

    @Test("a text cut anywhere never crashes the reader", arguments: cases("y_structure") + cases("i_string"))
    func cutAnywhere(_ case: Case) {
        for end in `case`.bytes.indices {
            let cut = Array(`case`.bytes[..<end])
            if accepts(cut, depthLimit: 32) { #expect(String(validating: cut, as: UTF8.self) != nil) }
        }
    }

    @Test("every line of the corpus has an answer or a meaning as a message", arguments: corpus)
    func messages(_ case: Case) {
        var state = ConnectionState()
        state.receive(`case`.bytes.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 } + [UInt8(ascii: "\n")])
        while let inbound = state.next() {
            if case .request = inbound { Issue.record("no text of the corpus is a request") }
        }
        let output = state.takeOutput()
        guard !output.isEmpty else { return }
        #expect((try? JSONDocument.parse(output)) != nil)
    }
}
