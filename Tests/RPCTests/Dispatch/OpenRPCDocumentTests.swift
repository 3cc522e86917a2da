import RPC
import Scheduling
import Testing

struct OpenRPCDocumentTests {
    private static let method = MethodDescription(
        "count.things", summary: "Counts.",
        parameters: [.init("colour", .enumeration(["red", "green"]), required: true, summary: "Only these.")],
        result: .object([.init("things", .array(.named(.init("Thing", "A thing.", .init("n", .integer())))))]),
        resultNote: "All of them.", errors: [.noSuchApp], access: .operate, isAllowedInBatch: false,
        example: MethodExample("Red ones", params: #"{"colour":"red"}"#, result: #"{"things":[{"n":1}]}"#))

    private func document() throws -> JSONValue {
        let document = OpenRPCDocument(title: "T", summary: "S.", version: "1.2", methods: [Self.method])
        return try JSONDocument.parse(document.bytes).root
    }

    @Test("a document says all that the row of a method says")
    func method() throws {
        let document = try document()
        #expect(document["openrpc"]?.string == "1.3.2")
        #expect(document["info"]?["version"]?.string == "1.2")
        let method = try #require(document["methods"]?.array?.first)
        #expect(method["name"]?.string == "count.things")
        #expect(method["summary"]?.string == "Counts.")
        #expect(method["x-access"]?.string == "operate")
        #expect(method["x-batch"]?.bool == false)
        let parameter = try #require(method["params"]?.array?.first)
        #expect(parameter["name"]?.string == "colour")
        #expect(parameter["required"]?.bool == true)
        #expect(parameter["summary"]?.string == "Only these.")
        #expect(parameter["schema"]?["enum"]?.array?.compactMap(\.string) == ["red", "green"])
        #expect(method["result"]?["summary"]?.string == "All of them.")
        let things = method["result"]?["schema"]?["properties"]?["things"]
        #expect(things?["items"]?["$ref"]?.string == "#/components/schemas/Thing")
        #expect(method["errors"]?.array?.map { $0["$ref"]?.string } == ["#/components/errors/noSuchApp"])
    }

    @Test("an example gives its params by name, and its result")
    func example() throws {
        let example = try #require(try document()["methods"]?.array?.first?["examples"]?.array?.first)
        #expect(example["name"]?.string == "Red ones")
        #expect(example["params"]?.array?.map { $0["name"]?.string } == ["colour"])
        #expect(example["params"]?.array?.map { $0["value"]?.string } == ["red"])
        #expect(example["result"]?["value"]?["things"]?.array?.count == 1)
    }

    @Test("what methods refer to is in the components")
    func components() throws {
        let document = try document()
        let thing = try #require(document["components"]?["schemas"]?["Thing"])
        #expect(thing["description"]?.string == "A thing.")
        #expect(thing["required"]?.array?.compactMap(\.string) == ["n"])
        let error = try #require(document["components"]?["errors"]?["noSuchApp"])
        #expect(error["code"]?.integer == 16)
        #expect(error["data"]?["kind"]?.string == "noSuchApp")
        let common = document["x-errors"]?.array?.compactMap(\.string) ?? []
        #expect(common.contains("invalidParams"))
        for kind in common { #expect(document["components"]?["errors"]?[kind] != nil, "\(kind)") }
    }
}
