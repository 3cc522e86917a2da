import Testing

@testable import RPC

struct PlainRequestTests {
    private static let usual = [
        #"{"jsonrpc":"2.0","id":1,"method":"status"}"#,
        #"{"jsonrpc":"2.0","id":-12,"method":"events.subscribe","params":{}}"#,
        #"{"jsonrpc": "2.0", "id": 7, "method": "submit", "params": {"identifier": "a.b", "x": -1, "y": true}}"#,
        #"{"jsonrpc":"2.0","method":"cancel","params":["a.b",null,{"c":[1.5]}]}"#,
        #" { "jsonrpc" : "2.0" , "id" : 0 , "method" : "x" , "params" : { "a" : "b" , "c" : null } } "#,
    ]

    private static let unusual = [
        #"{"id":1,"jsonrpc":"2.0","method":"status"}"#,
        #"{"jsonrpc":"2.0","id":"x","method":"status"}"#,
        #"{"jsonrpc":"2.0","id":null,"method":"status"}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"st\u0061tus"}"#,
        #"{"jsonrpc":"2.0","id":01,"method":"status"}"#,
        #"{"jsonrpc":"2.0","id":-0,"method":"status"}"#,
        #"{"jsonrpc":"2.0","id":1.0,"method":"status"}"#,
        #"{"jsonrpc":"2.0","id":1234567890123456789,"method":"status"}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"status","extra":1}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"status","params":{},"params":{}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"status"}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"status"} x"#,
    ]

    /// What a line means, as text.
    private static func words(_ message: IncomingMessage) -> String {
        switch message {
        case .single(let request): words(request)
        case .batch(let members): "batch of \(members.count)"
        case .response: "response"
        case .ignored: "ignored"
        case .invalid(let invalid): "invalid \(invalid.identifier) \(invalid.error)"
        case .limitExceeded(let name, _): "limit \(name)"
        }
    }

    private static func words(_ request: Request) -> String {
        var params: [UInt8] = []
        if let value = request.params { JSONText.append(value, to: &params) }
        let identifier = request.identifier.map { "\($0)" } ?? "none"
        return "\(identifier) \(request.method) \(String(decoding: params, as: UTF8.self))"
    }

    /// Every text that differs from this one in a single place.
    private static func neighbours(of text: String) -> [[UInt8]] {
        let bytes = Array(text.utf8)
        let others: [UInt8] = Array(#"{}[]",:\ -01.eatr/"#.utf8) + [0x00, 0x0A, 0x1F, 0x7F, 0x80, 0xC3]
        var all: [[UInt8]] = [bytes]
        for place in bytes.indices {
            all.append(Array(bytes[..<place] + bytes[(place + 1)...]))
            all.append(Array(bytes[..<place]))
            for other in others {
                all.append(Array(bytes[..<place] + [other] + bytes[(place + 1)...]))
                all.append(Array(bytes[..<place] + [other] + bytes[place...]))
            }
        }
        return all
    }

    @Test("a usual line is read the short way", arguments: usual)
    func shortWay(_ line: String) {
        #expect(Array(line.utf8).withUnsafeBytes { PlainRequest($0) != nil })
    }

    @Test("the short way and the whole parser agree about lines that are nearly usual", arguments: usual + unusual)
    func agreement(_ line: String) {
        let limits = ConnectionLimits()
        for bytes in Self.neighbours(of: line) {
            let (short, whole) = bytes.withUnsafeBytes {
                (IncomingMessage.parse($0, limits: limits), IncomingMessage.parseWhole($0, limits: limits))
            }
            #expect(Self.words(short) == Self.words(whole), "\(String(decoding: bytes, as: UTF8.self))")
        }
    }

    @Test("a method with a long name is still found to be unknown, and its name is told")
    func longMethod() {
        let name = String(repeating: "m", count: 65)
        let line = Array(#"{"jsonrpc":"2.0","id":1,"method":"\#(name)"}"#.utf8)
        #expect(line.withUnsafeBytes { PlainRequest($0) == nil })
        let message = line.withUnsafeBytes { IncomingMessage.parse($0, limits: ConnectionLimits()) }
        #expect(Self.words(message) == "integer(1) \(name) ")
    }

    @Test(
        "an object that is read the short way holds what the whole parser finds",
        arguments: [
            "{}", #"{"a":1}"#, #"{"a":"b","c":true,"d":false,"e":null,"f":-123456789012345678}"#, #"{"":""}"#,
            #" { "a" : "x y" , "b" : 0 } "#,
        ])
    func objects(_ text: String) throws {
        #expect(Array(text.utf8).withUnsafeBytes { JSONDocument.plainObject($0) != nil })
        for bytes in Self.neighbours(of: text) {
            guard let short = bytes.withUnsafeBytes({ JSONDocument.plainObject($0) }) else { continue }
            let whole = try JSONDocument.parse(bytes)
            var (left, right): ([UInt8], [UInt8]) = ([], [])
            JSONText.append(short.root, to: &left)
            JSONText.append(whole.root, to: &right)
            #expect(left == right, "\(String(decoding: bytes, as: UTF8.self))")
        }
    }
}
