// A plugin's library without Runner's kit, which the tests build in other ways than Runner was built.
import Glibc

/// Sends a line on the channel.
func send(_ line: String, on descriptor: Int32) {
    let bytes = Array("\(line)\n".utf8)
    _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
}

/// The number after a name in a line of JSON, where the name is there once.
func number(_ name: String, in line: UnsafePointer<CChar>) -> Int? {
    strstr(line, "\"\(name)\":").map { atol($0 + name.utf8.count + 3) }
}

/// Something of the standard library that is more than calls of C: generics, hashing, growing storage.
func checksum(_ count: Int) -> Int {
    let squares = Dictionary(uniqueKeysWithValues: (1...count).map { ($0, $0 * $0) })
    return squares.values.sorted().reduce(0, &+)
}

/// What `runner-plugin-host` calls.
@_cdecl("runner_plugin_main")
public func runPlugin(on descriptor: Int32) -> Int32 {
    guard let channel = fdopen(descriptor, "r") else { return 2 }
    let greeting = #"{"protocol":1,"kit":"none","version":"1"}"#
    send(#"{"jsonrpc":"2.0","id":1,"method":"hello","params":\#(greeting)}"#, on: descriptor)
    let registration = #"{"identifier":"com.example.foreign.run","kind":"processing"}"#
    send(#"{"jsonrpc":"2.0","id":2,"method":"register","params":\#(registration)}"#, on: descriptor)
    send(#"{"jsonrpc":"2.0","id":3,"method":"finishLaunching","params":{}}"#, on: descriptor)
    var buffer: UnsafeMutablePointer<CChar>?
    var capacity = 0
    while getline(&buffer, &capacity, channel) > 0, let line = buffer {
        guard strstr(line, "\"task.launch\"") != nil, let id = number("id", in: line), let run = number("run", in: line)
        else { continue }
        send(#"{"jsonrpc":"2.0","id":\#(id),"result":{}}"#, on: descriptor)
        let outcome = #"{"run":\#(run),"result":"succeeded","message":"the sum is \#(checksum(100))"}"#
        send(#"{"jsonrpc":"2.0","id":4,"method":"task.complete","params":\#(outcome)}"#, on: descriptor)
    }
    return 0
}
