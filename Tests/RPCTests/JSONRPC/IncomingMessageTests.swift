import Testing

@testable import RPC

struct IncomingMessageTests {
    private func parse(_ text: String, limits: ConnectionLimits = ConnectionLimits()) -> IncomingMessage {
        Array(text.utf8).withUnsafeBytes { IncomingMessage.parse($0, limits: limits) }
    }

    private func request(_ text: String) throws -> Request {
        guard case .single(let request) = parse(text) else { throw RPCError.internalError("this is no request") }
        return request
    }

    @Test(
        "an id comes as it was sent",
        arguments: [
            ("7", RequestIdentifier.integer(7)), ("-9223372036854775808", .integer(.min)), ("0", .integer(0)),
            ("\"x\"", .string("x")), ("\"\"", .string("")), ("\"a\\u0000\"", .string("a\0")), ("null", .null),
        ])
    func identifiers(_ text: String, _ identifier: RequestIdentifier) throws {
        let request = try request(#"{"jsonrpc":"2.0","id":\#(text),"method":"status"}"#)
        #expect(request.identifier == identifier)
        #expect(!request.isNotification)
    }

    @Test("params, unknown members and any order of members are taken")
    func shape() throws {
        let request = try request(#"{"extra":1,"params":[1],"method":"status","id":1,"jsonrpc":"2.0","idx":2}"#)
        #expect(request.method == "status")
        #expect(request.params?.array?.count == 1)
        #expect(!request.isInBatch)
        let notification = try self.request(#"{"jsonrpc":"2.0","method":"x","params":{"a":1}}"#)
        #expect(notification.isNotification)
        #expect(notification.params?["a"]?.integer == 1)
    }

    @Test(
        "an object that is no request is refused with the id that could be read",
        arguments: [
            (#"{"jsonrpc":"2.0","id":1.5,"method":"a"}"#, RequestIdentifier.null),
            (#"{"jsonrpc":"2.0","id":1e2,"method":"a"}"#, .null),
            (#"{"jsonrpc":"2.0","id":true,"method":"a"}"#, .null),
            (#"{"jsonrpc":"2.0","id":[1],"method":"a"}"#, .null),
            (#"{"jsonrpc":"2.0","id":{},"method":"a"}"#, .null),
            (#"{"jsonrpc":"1.0","id":1,"method":"a"}"#, .integer(1)),
            (#"{"jsonrpc":2.0,"id":1,"method":"a"}"#, .integer(1)),
            (#"{"jsonrpc":"2.0\u0000","id":1,"method":"a"}"#, .integer(1)),
            (#"{"id":1,"method":"a"}"#, .integer(1)),
            (#"{"jsonrpc":"2.0","id":"q"}"#, .string("q")),
            (#"{"jsonrpc":"2.0","id":2,"method":1}"#, .integer(2)),
            (#"{"jsonrpc":"2.0","id":2,"method":null}"#, .integer(2)),
            (#"{"jsonrpc":"2.0","id":2,"method":"a","params":"bar"}"#, .integer(2)),
            (#"{"jsonrpc":"2.0","id":2,"method":"a","params":null}"#, .integer(2)),
            (#"{"jsonrpc":"2.0","method":1,"params":"bar"}"#, .null),
            (#"{"foo":"boo"}"#, .null),
            ("{}", .null),
            ("[]", .null),
        ])
    func invalidRequests(_ text: String, _ identifier: RequestIdentifier) throws {
        guard case .invalid(let invalid) = parse(text) else {
            Issue.record("\(text) is taken")
            return
        }
        #expect(invalid.error.code == -32_600)
        #expect(invalid.error.kind == "invalidRequest")
        #expect(invalid.identifier == identifier)
    }

    @Test(
        "a text that is not JSON is a parse error",
        arguments: [
            "{", "{\"a\":1,\"a\":2}", "[1,]", "{}x", #"{"jsonrpc":"2.0","id":123456789012345678901,"method":"a"}"#,
            #"[{"jsonrpc":"2.0","method":"#,
        ])
    func parseErrors(_ text: String) throws {
        guard case .invalid(let invalid) = parse(text) else {
            Issue.record("\(text) is taken")
            return
        }
        #expect(invalid.error.code == -32_700)
        #expect(invalid.identifier == .null)
    }

    @Test("a response object is an answer, or dropped when nobody understands it")
    func responses() throws {
        guard case .response(let response) = parse(#"{"jsonrpc":"2.0","id":3,"result":{"a":1}}"#) else {
            Issue.record("this is a response")
            return
        }
        #expect(response.identifier == 3)
        #expect(try response.result()["a"]?.integer == 1)
        let dropped = [
            #"{"jsonrpc":"2.0","id":"x","result":1}"#, #"{"result":1}"#, #"{"error":{}}"#,
            #"{"jsonrpc":"2.0","id":1,"error":{"code":"x"}}"#, #"{"jsonrpc":"1.0","id":1,"result":1}"#,
        ]
        for text in dropped {
            guard case .ignored = parse(text) else {
                Issue.record("\(text) is not dropped")
                continue
            }
        }
    }

    @Test("a batch keeps its order, with what is wrong in its place and without answers")
    func batches() {
        let text = """
            [{"jsonrpc":"2.0","id":1,"method":"a"},1,{"jsonrpc":"2.0","id":9,"result":1},\
            {"jsonrpc":"2.0","method":"b"},{"id":"z"},[]]
            """
        guard case .batch(let members) = parse(text) else {
            Issue.record("this is a batch")
            return
        }
        let summary = members.map { member in
            switch member {
            case .success(let request): request.isInBatch ? request.method : "not in batch"
            case .failure(let invalid): "\(invalid.error.code) \(invalid.identifier)"
            }
        }
        #expect(summary == ["a", "-32600 null", "b", "-32600 string(\"z\")", "-32600 null"])
    }

    @Test("batch size has a limit, just under and just over")
    func limits() {
        var limits = ConnectionLimits()
        limits.batchRequests = 3
        func exceeded(_ text: String) -> ConnectionLimits.Name? {
            guard case .limitExceeded(let name, let error) = parse(text, limits: limits) else { return nil }
            #expect(error.code == 22)
            return name
        }
        #expect(exceeded("[1,2,3]") == nil)
        #expect(exceeded("[1,2,3,4]") == .batch)
    }
}
