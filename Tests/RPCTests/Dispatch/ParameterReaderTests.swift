import Testing

@testable import RPC

struct ParameterReaderTests {
    private enum Kind: String {
        case appRefresh, processing
    }

    static let descriptions = [
        ParameterDescription("identifier", .string, required: true),
        ParameterDescription("kind", .enumeration(["appRefresh", "processing"])),
        ParameterDescription("limit", .integer, bounds: 1...1_000),
        ParameterDescription("timeoutSeconds", .number, bounds: 0...Double.infinity),
        ParameterDescription("after", .date),
        ParameterDescription("wait", .boolean),
        ParameterDescription("types", .stringArray),
        ParameterDescription("since", .object),
        ParameterDescription("value", .any),
    ]

    private func reader(
        _ text: String?, _ descriptions: [ParameterDescription] = descriptions
    ) throws -> ParameterReader {
        let params = try text.map { try JSONDocument.parse(Array($0.utf8)).root }
        return try ParameterReader(params, descriptions)
    }

    @Test("who may meet a newer peer can leave out what is not described, and still checks the rest")
    func ignoresUnknown() throws {
        func read(_ text: String) throws -> ParameterReader {
            let params = try JSONDocument.parse(Array(text.utf8)).root
            return try ParameterReader(params, Self.descriptions, ignoresUnknown: true)
        }
        let reader = try read(#"{"new":{"x":1},"identifier":"a.b","newer":2}"#)
        #expect(reader.string("identifier") == "a.b")
        #expect(throws: InvalidParameters.self) { try read(#"{"identifier":"a.b","limit":"many","new":1}"#) }
        #expect(throws: InvalidParameters.self) { try read(#"{"new":1}"#) }
    }

    private func failure(_ text: String?, _ descriptions: [ParameterDescription] = descriptions) -> InvalidParameters? {
        #expect(throws: InvalidParameters.self) { try reader(text, descriptions) }
    }

    @Test(
        "params by name and by position read the same",
        arguments: [
            """
            {"since":{"sequence":4},"identifier":"a.b","kind":"processing","limit":1000,"timeoutSeconds":1.5,\
            "after":"1970-01-01T00:00:01Z","wait":true,"types":["x","y"],"value":[1]}
            """,
            #"["a.b","processing",1000,1.5,"1970-01-01T00:00:01Z",true,["x","y"],{"sequence":4},[1]]"#,
        ])
    func reading(_ text: String) throws {
        let reader = try reader(text)
        #expect(reader.string("identifier") == "a.b")
        #expect(reader.string("kind") == "processing")
        #expect(reader.word("kind", as: Kind.self) == .processing)
        #expect(reader.integer("limit") == 1_000)
        #expect(reader.number("timeoutSeconds") == 1.5)
        #expect(reader.milliseconds("timeoutSeconds") == 1_500)
        #expect(reader.date("after") == 1_000)
        #expect(reader.bool("wait") == true)
        #expect(reader.strings("types") == ["x", "y"])
        #expect(reader.value("value")?.array?.count == 1)
        #expect(reader.has("since"))
        let since = try reader.object("since", [ParameterDescription("sequence", .integer, required: true)])
        #expect(since?.integer("sequence") == 4)
    }

    @Test(
        "null and absence are the same for an optional parameter",
        arguments: [#"{"identifier":"a","kind":null,"value":null,"wait":null}"#, #"["a",null,null]"#, #"["a"]"#])
    func absence(_ text: String) throws {
        let reader = try reader(text)
        #expect(reader.string("kind") == nil)
        #expect(reader.value("value") == nil)
        #expect(reader.bool("wait") == nil)
        #expect(!reader.has("limit"))
        #expect(try reader.object("since", []) == nil)
    }

    @Test("a method without params takes none, an empty object or an empty array", arguments: [nil, "{}", "[]"])
    func none(_ text: String?) throws {
        _ = try reader(text, [])
        #expect(failure(text)?.member == "identifier")
    }

    @Test("a required parameter of any kind may be null")
    func requiredNull() throws {
        let reader = try reader(#"{"value":null}"#, [ParameterDescription("value", .any, required: true)])
        #expect(reader.value("value")?.isNull == true)
    }

    @Test(
        "what is wrong names the member",
        arguments: [
            (#"{}"#, "identifier"),
            (#"{"kind":"processing"}"#, "identifier"),
            (#"{"identifier":null}"#, "identifier"),
            (#"{"identifier":1}"#, "identifier"),
            (#"[["a"]]"#, "identifier"),
            (#"{"identifier":"a","kind":"proccessing"}"#, "kind"),
            (#"{"identifier":"a","kind":1}"#, "kind"),
            (#"{"identifier":"a","limit":0}"#, "limit"),
            (#"{"identifier":"a","limit":1001}"#, "limit"),
            (#"{"identifier":"a","limit":1.5}"#, "limit"),
            (#"{"identifier":"a","limit":"5"}"#, "limit"),
            (#"{"identifier":"a","timeoutSeconds":-0.5}"#, "timeoutSeconds"),
            (#"{"identifier":"a","timeoutSeconds":"5"}"#, "timeoutSeconds"),
            (#"{"identifier":"a","after":"tomorrow"}"#, "after"),
            (#"{"identifier":"a","after":1}"#, "after"),
            (#"{"identifier":"a","wait":1}"#, "wait"),
            (#"{"identifier":"a","types":"x"}"#, "types"),
            (#"{"identifier":"a","types":["x",1]}"#, "types"),
            (#"{"identifier":"a","since":[1]}"#, "since"),
            (#"{"identifier":"a","limits":1}"#, "limits"),
            (#"["a","processing",1,1,null,true,[],{},1,2]"#, "9"),
        ])
    func errors(_ text: String, _ member: String) {
        let error = failure(text)
        #expect(error?.member == member)
        #expect(error?.rpcError.code == -32_602)
        #expect(error?.rpcError.kind == "invalidParams")
    }

    @Test("messages say what would be right")
    func messages() {
        #expect(
            failure(#"{"identifier":"a","limit":0}"#)?.message == "'limit' must be an integer from 1 to 1000.")
        #expect(
            failure(#"{"identifier":"a","timeoutSeconds":-1}"#)?.message
                == "'timeoutSeconds' must be a number of at least 0.")
        #expect(
            failure(#"{"identifier":"a","kind":"procesing"}"#)?.message
                == "'kind' must be one of 'appRefresh', 'processing'; did you mean 'processing'?")
        #expect(
            failure(#"{"identifier":"a","Limit":1}"#)?.message == "There is no parameter 'Limit'; did you mean 'limit'?"
        )
        #expect(failure(#"{"a":1}"#, [])?.message == "There is no parameter 'a'; there are none here.")
        #expect(failure("[1]", [])?.message == "There are 1 params by position; this method takes none.")
        #expect(failure(nil)?.message == "'identifier' is missing; it must be a string.")
    }

    @Test("a member within an object is named by its path")
    func paths() throws {
        let reader = try reader(#"{"identifier":"a","since":{"sequence":"x"}}"#)
        let error = #expect(throws: InvalidParameters.self) {
            try reader.object("since", [ParameterDescription("sequence", .integer, required: true)])
        }
        #expect(error?.member == "since.sequence")
        #expect(error?.message == "'since.sequence' must be an integer.")
        #expect(reader.invalid("identifier", expected: "short").message == "'identifier' must be short.")
    }

    @Test("a duration that no clock can hold becomes the longest there is")
    func hugeDurations() throws {
        #expect(try reader(#"{"identifier":"a","timeoutSeconds":1e300}"#).milliseconds("timeoutSeconds") == .max)
        #expect(try reader(#"{"identifier":"a","timeoutSeconds":0.0004}"#).milliseconds("timeoutSeconds") == 0)
    }
}
