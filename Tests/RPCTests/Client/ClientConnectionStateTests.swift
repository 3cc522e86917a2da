import Testing

@testable import RPC

struct ClientConnectionStateTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test("a request is a line, and its response carries its identifier")
    func exchange() throws {
        var client = ClientConnectionState()
        let first = client.request("status")
        let second = client.request("submit") { $0.object { $0.member("identifier", "a") } }
        #expect(first.bytes == bytes(#"{"jsonrpc":"2.0","id":1,"method":"status"}"# + "\n"))
        #expect(
            second.bytes
                == bytes(#"{"jsonrpc":"2.0","id":2,"method":"submit","params":{"identifier":"a"}}"# + "\n"))
        #expect(client.unansweredCount == 2)
        let inbound = try client.receive(
            bytes(
                """
                {"jsonrpc":"2.0","id":2,"error":{"code":3,"message":"No.","data":{"kind":"notPermitted","nearest":"b"}}}
                {"jsonrpc":"2.0","method":"event","params":{"sequence":5}}
                {"jsonrpc":"2.0","id":1,"result":{"pid":7}}
                {"jsonrpc":"2.0","id":1,"result":"again"}
                {"jsonrpc":"2.0","id":99,"result":"stray"}

                """))
        #expect(client.unansweredCount == 0)
        #expect(inbound.count == 3)
        guard inbound.count == 3, case .response(let refusal) = inbound[0], case .notification(let event) = inbound[1],
            case .response(let status) = inbound[2]
        else {
            Issue.record("these are a response, a notification and a response")
            return
        }
        #expect(refusal.identifier == second.identifier)
        let error = #expect(throws: ResponseError.self) { try refusal.result() }
        #expect(error?.code == 3)
        #expect(error?.kind == "notPermitted")
        #expect(error?.message == "No.")
        #expect(error?.data?["nearest"]?.string == "b")
        #expect(event.method == "event")
        #expect(event.params?["sequence"]?.integer == 5)
        #expect(status.identifier == first.identifier)
        #expect(try status.result()["pid"]?.integer == 7)
    }

    @Test("a response that comes byte by byte, and one without LF at the end, are whole")
    func pieces() throws {
        var client = ClientConnectionState()
        _ = client.request("status")
        var responses = 0
        for byte in bytes(#"{"jsonrpc":"2.0","id":1,"result":"é"}"#) { responses += try client.receive([byte]).count }
        #expect(responses == 0)
        #expect(try client.receiveEnd().count == 1)
    }

    @Test("an error without an identifier reaches the client")
    func withoutIdentifier() throws {
        var client = ClientConnectionState()
        let line = #"{"jsonrpc":"2.0","id":null,"error":{"code":22,"message":"x","data":{"kind":"limitExceeded"}}}"#
        guard case .response(let response)? = try client.receive(bytes(line + "\n")).first else {
            Issue.record("this is a response")
            return
        }
        #expect(response.identifier == nil)
    }

    @Test(
        "what is no JSON-RPC, or longer than the limit, is a violation",
        arguments: [
            "HTTP/1.1 400\n", "{x}\n", "{\"a\":1}\n", "[1111111111111111111111111111111111111111111111111111111]\n",
        ])
    func violations(_ text: String) {
        var client = ClientConnectionState(lineLimit: 50)
        #expect(throws: ClientConnectionState.ProtocolViolation.self) { try client.receive(bytes(text)) }
    }

    @Test("both ends understand each other")
    func bothEnds() throws {
        var client = ClientConnectionState()
        var server = ConnectionState()
        let identifier = client.request("echo") { $0.array { $0.string("a\n\"é") } }.identifier
        var other = ClientConnectionState()
        server.receive(other.request("echo") { $0.array { $0.string("a\n\"é") } }.bytes)
        server.receive(client.notification("ignored"))
        guard case .request(let token, let request)? = server.next() else {
            Issue.record("this is a request")
            return
        }
        server.complete(token) { (writer) throws(RPCError) in
            guard let params = request.params else { throw RPCError.internalError("no params") }
            writer.value(params)
        }
        guard case .notification? = server.next() else {
            Issue.record("this is a notification")
            return
        }
        guard case .response(let response)? = try client.receive(server.takeOutput()).first else {
            Issue.record("this is a response")
            return
        }
        #expect(response.identifier == identifier)
        #expect(try response.result().array?.first?.string == "a\n\"é")
    }
}
