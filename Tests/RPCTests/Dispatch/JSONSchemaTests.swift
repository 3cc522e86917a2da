import RPC
import Testing

struct JSONSchemaTests {
    private static let thing = NamedSchema(
        "Thing", "A thing.", .init("name", .string), .init("parts", .array(.named(part)), optional: true))
    private static let part = NamedSchema("Part", "A part.", .init("size", .number(0...1), "In metres."))

    private func text(_ schema: JSONSchema) -> String {
        Samples.text { $0.value(schema) }
    }

    @Test(
        "a shape reads in few words",
        arguments: [
            (JSONSchema.object([]), "{}"),
            (
                .object([.init("things", .array(.named(thing))), .init("next", .string, optional: true)]),
                "{things: [Thing], next?}"
            ),
            (.object([.init("at", .date), .init("where", .object([.init("x", .integer())]))]), "{at, where: {x}}"),
            (.enumeration(["up", "down"]), "up|down"),
            (.either([.null, .boolean, .seconds]), "null or true or false or seconds"),
        ])
    func words(schema: JSONSchema, words: String) {
        #expect(schema.words == words)
    }

    @Test(
        "a shape is written as JSON Schema",
        arguments: [
            (JSONSchema.any, "{}"), (.null, #"{"type":"null"}"#), (.boolean, #"{"type":"boolean"}"#),
            (.string, #"{"type":"string"}"#), (.integer(), #"{"type":"integer"}"#),
            (.integer(1...Double.infinity), #"{"type":"integer","minimum":1}"#),
            (.number(0.5...2), #"{"type":"number","minimum":0.5,"maximum":2}"#),
            (.seconds, #"{"type":"number","minimum":0}"#), (.date, #"{"type":"string","format":"date-time"}"#),
            (.enumeration(["a", "b"]), #"{"type":"string","enum":["a","b"]}"#),
            (.array(.string), #"{"type":"array","items":{"type":"string"}}"#),
            (.named(thing), ##"{"$ref":"#/components/schemas/Thing"}"##),
            (.either([.null, .string]), #"{"anyOf":[{"type":"null"},{"type":"string"}]}"#),
            (
                thing.schema,
                #"{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"#
                    + ##""parts":{"type":"array","items":{"$ref":"#/components/schemas/Part"}}}}"##
            ),
            (
                part.schema,
                #"{"type":"object","required":["size"],"properties":{"size":{"type":"number","minimum":0,"#
                    + #""maximum":1,"description":"In metres."}}}"#
            ),
        ])
    func schemas(schema: JSONSchema, expected: String) {
        #expect(text(schema) == expected)
    }

    @Test("the shapes with names are found wherever they are, each once")
    func named() {
        let schema = JSONSchema.either([
            .array(.named(Self.thing)),
            .object([.init("part", .named(Self.part)), .init("thing", .named(Self.thing))]),
        ])
        #expect(schema.named == [Self.thing, Self.part])
    }

    @Test(
        "a parameter has the shape of its type, or one of its own",
        arguments: [
            (ParameterDescription("a", .string), JSONSchema.string), (.init("a", .boolean), .boolean),
            (.init("a", .integer, bounds: 1...9), .integer(1...9)), (.init("a", .number), .number()),
            (.init("a", .date), .date), (.init("a", .enumeration(["x"])), .enumeration(["x"])),
            (.init("a", .object), .object([])), (.init("a", .any), .any), (.init("a", .stringArray), .array(.string)),
            (.init("a", .any, shape: .array(.integer())), .array(.integer())),
        ])
    func parameters(parameter: ParameterDescription, schema: JSONSchema) {
        #expect(parameter.schema == schema)
    }
}
