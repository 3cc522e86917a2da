import Testing

@testable import RPC

struct MethodTableTests {
    private static let names = (0..<40).map { "method\($0)" } + ["status", "submit", "events.subscribe", "shutdown"]

    private let table = MethodTable(
        names.enumerated().map { index, name in
            MethodTable<Int>.Row(
                MethodDescription(
                    name, summary: "Does it.", result: .null, access: name == "shutdown" ? .admin : .read,
                    isAllowedInBatch: name != "events.subscribe", example: MethodExample("", result: "null")),
                index)
        })

    private func request(_ method: String, isInBatch: Bool = false) throws -> Request {
        var text = #"{"jsonrpc":"2.0","id":1,"method":"\#(method)"}"#
        if isInBatch { text = "[\(text)]" }
        switch Array(text.utf8).withUnsafeBytes({ IncomingMessage.parse($0, limits: ConnectionLimits()) }) {
        case .single(let request): return request
        case .batch(let members): return try #require(members.first).get()
        case .response, .ignored, .invalid, .limitExceeded: throw RPCError.internalError("this is no request")
        }
    }

    @Test("every method is found by its name, and only by it")
    func lookup() throws {
        for (index, name) in Self.names.enumerated() {
            #expect(try table.lookup(name).handler == index)
            #expect(try table.lookup(request(name), access: .admin, advice: .fixed).handler == index)
            #expect(throws: RPCError.self) { try table.lookup(name + "x") }
        }
        #expect(throws: RPCError.self) { try table.lookup("") }
        #expect(throws: RPCError.self) { try MethodTable<Int>([]).lookup("status") }
    }

    @Test("an unknown method is answered with the nearest name")
    func nearest() throws {
        let error = #expect(throws: RPCError.self) { try table.lookup("statsu") }
        #expect(error?.code == -32_601)
        #expect(error?.kind == "methodNotFound")
        #expect(error?.message == "There is no method 'statsu'; did you mean 'status'?")
        let long = #expect(throws: RPCError.self) { try table.lookup(String(repeating: "x", count: 100_000)) }
        #expect(long?.message.utf8.count ?? .max < 200)
    }

    @Test(
        "a level that is too low is told what would really help",
        arguments: [
            (AccessAdvice.configuration(group: "runner"), AccessLevel.operate, "join the socket's group 'runner'"),
            (.configuration(group: nil), .operate, "let access.users in the configuration name you"),
            (.configuration(group: nil), .operate, "the socket has no group"),
            (.configuration(group: "runner"), .admin, "ask as root or as the daemon's own user"),
            (.configuration(group: nil), .read, "access.others or access.users"),
            (.fixed, .operate, "ask as root or as the user whose program it is"),
        ])
    func advice(advice: AccessAdvice, level: AccessLevel, words: String) {
        let error = RPCError.accessDenied(method: "submit", needs: level, has: nil, advice: advice)
        #expect(error.message.contains(words), "\(error.message)")
        let namesGroup = error.message.contains("join")
        #expect(namesGroup == (level == .operate && advice == .configuration(group: "runner")))
    }

    @Test("a level that is too low is told the level that is needed")
    func access() throws {
        for level in AccessLevel.allCases {
            let outcome = Result { try table.lookup(request("shutdown"), access: level, advice: .fixed).handler }
            switch outcome {
            case .success: #expect(level == .admin)
            case .failure(let error):
                #expect(level < .admin)
                #expect((error as? RPCError)?.kind == "accessDenied")
            }
        }
        #expect(AccessLevel.read < .operate && AccessLevel.operate < .admin)
    }

    @Test("a method that cannot be part of a batch is refused there and only there")
    func batch() throws {
        #expect(
            try table.lookup(request("events.subscribe"), access: .read, advice: .fixed).method.name
                == "events.subscribe")
        #expect(
            try table.lookup(request("status", isInBatch: true), access: .read, advice: .fixed).method.name == "status")
        let inBatch = try request("events.subscribe", isInBatch: true)
        let error = #expect(throws: RPCError.self) { try table.lookup(inBatch, access: .read, advice: .fixed) }
        #expect(error?.code == -32_600)
    }

    @Test("two methods of one name end the process")
    func duplicates() async {
        await #expect(processExitsWith: .failure) {
            let method = MethodDescription(
                "a", summary: "", result: .null, access: .read, example: MethodExample("", result: "null"))
            let row = MethodTable<Int>.Row(method, 1)
            _ = MethodTable([row, row])
        }
    }
}
