import Foundation
import Testing

@Suite("Requests, asked for by a client that is not ours", .serialized)
struct RequestTests {
    @Test("a request that was submitted is pending, is explained, and can be cancelled")
    func roundTrip() async throws {
        try await Scene.with { scene in
            try scene.writeBundle("app", tasks: ["refresh": ["command": ["/bin/true"], "kind": "appRefresh"]])
            try await scene.withDaemon { _ in
                let identifier: JSONNode = "com.example.app.refresh"
                let floor: JSONNode = "2190-01-02T03:04:05.678Z"
                let submitted = try await scene.ask(
                    "submit", ["identifier": identifier, "earliestBeginDate": "2190-01-02T04:04:05.678+01:00"])
                #expect(submitted["outcome"] == "submitted")
                #expect(submitted["request"]["identifier"] == identifier)
                #expect(submitted["request"]["earliestBeginDate"] == floor)
                #expect(submitted["request"]["app"] == "com.example.app")
                #expect(try await scene.ask("pending")["requests"] == [submitted["request"]])

                let explained = try await scene.ask("explain", ["identifier": identifier])
                #expect(explained["status"] == "waiting")
                let closed = explained["gates"].elements.filter { $0["verdict"] == "closed" }
                #expect(closed.map { $0["gate"] } == ["earliestBeginDate"])
                #expect(closed.first?["opensAt"] == floor)

                let again = try await scene.ask("submit", ["identifier": identifier, "earliestBeginDate": floor])
                #expect(again["outcome"] == "replaced")
                #expect(again["previous"] == submitted["request"])
                let kept = try await scene.ask(
                    "submit", ["identifier": identifier, "earliestBeginDate": floor, "ifPending": "keepEarlier"])
                #expect(kept["outcome"] == "kept")
                #expect(kept["request"] == again["request"])

                let cancelled = try await scene.ask("cancel", ["identifier": identifier])
                #expect(cancelled == ["cancelled": true, "request": again["request"]])
                #expect(try await scene.ask("cancel", ["identifier": identifier])["cancelled"] == false)
                #expect(try await scene.ask("pending")["requests"] == [])
                #expect(try await scene.ask("explain", ["identifier": identifier])["status"] == "idle")
                #expect(try await scene.ask("history")["runs"] == [])
            }
        }
    }

    @Test("nothing starts before its floor, by the daemon's record and by the command's own clock")
    func floors() async throws {
        try await Scene.with { scene in
            var tasks: [String: JSONNode] = [:]
            for number in 0..<8 {
                let command: JSONNode = ["/bin/sh", "-c", .string("date +%s%3N > \(scene.path("began-\(number)"))")]
                tasks["task-\(number)"] = ["command": command]
            }
            try scene.writeBundle("floors", tasks: tasks)
            try await scene.withDaemon { _ in
                for number in 0..<8 {
                    try await scene.ask(
                        "submit",
                        [
                            "identifier": .string("com.example.floors.task-\(number)"),
                            "earliestBeginDate": .inSeconds(0.2 + 0.13 * Double(number)),
                        ])
                }
                for number in 0..<8 {
                    let run = try await scene.lastRun(of: "com.example.floors.task-\(number)")
                    let floor = try #require(run["earliestBeginDate"].text)
                    #expect(run["state"] == "succeeded")
                    #expect(run["origin"] == "scheduled")
                    #expect(try #require(run["startedAt"].text) >= floor)
                    let began = try #require(Int(scene.text("began-\(number)").dropLast()))
                    let milliseconds = try #require(run["earliestBeginDate"].date).timeIntervalSince1970 * 1_000
                    #expect(Double(began) >= milliseconds.rounded())
                }
            }
        }
    }

    @Test("every refusal has its code, its kind and a sentence")
    func refusals() async throws {
        try await Scene.with { scene in
            try scene.writeBundle(
                "app", tasks: ["refresh": ["command": ["/bin/true"]]], modes: ["fetch"])
            try await scene.withDaemon { _ in
                let refresh: JSONNode = "com.example.app.refresh"
                let calls: [(method: String, params: JSONNode, code: Int, kind: JSONNode)] = [
                    ("submit", ["identifier": "a b"], 14, "invalidIdentifier"),
                    ("submit", ["identifier": "com.example.app.refersh"], 3, "notPermitted"),
                    ("submit", ["identifier": refresh, "kind": "processing"], 15, "backgroundModeMissing"),
                    (
                        "submit", ["identifier": refresh, "earliestBeginDate": "2300-01-01T00:00:00Z"], 14,
                        "invalidDate"
                    ),
                    ("submit", ["identifier": refresh, "kind": "other"], -32602, "invalidParams"),
                    ("submit", [], -32602, "invalidParams"),
                    ("simulateLaunch", ["identifier": refresh], 11, "noPendingRequest"),
                    ("simulateExpiration", ["identifier": refresh], 13, "notRunning"),
                    ("run", ["run": 99], 16, "noSuchRun"),
                    ("cancelAll", ["app": "com.example.none"], 16, "noSuchApp"),
                    ("simulateLunch", [], -32601, "methodNotFound"),
                ]
                for call in calls {
                    let error = try await scene.call(call.method, call.params)["error"]
                    #expect(error["code"].integer == call.code, "\(call)")
                    #expect(error["data"]["kind"] == call.kind, "\(call)")
                    let end = error["message"].text?.last
                    #expect(end == "." || end == "?", "\(call) is answered \(error)")
                }
                let near = try await scene.call("submit", ["identifier": "com.example.app.refersh"])
                #expect(near["error"]["message"].text?.contains("com.example.app.refresh") == true)
            }
        }
    }

    @Test("lines, batches and notifications are answered as JSON-RPC says")
    func protocolLines() async throws {
        try await Scene.with { scene in
            try scene.writeBundle("app", tasks: ["refresh": ["command": ["/bin/true"]]])
            try await scene.withDaemon { _ in
                let lines = [
                    #"{"jsonrpc":"2.0","method":"status"}"#,
                    #"[{"jsonrpc":"2.0","id":"a","method":"pending"},{"jsonrpc":"2.0","method":"pending"},"#
                        + #"{"jsonrpc":"2.0","id":2,"method":"running"}]"#,
                    #"{"jsonrpc":"2.0","id":3,"method":"hello","params":["tests",[1]]}"#,
                ]
                try scene.write(lines.joined(separator: "\n") + "\n", to: "lines")
                // The notification is not answered, so there is one reply less than lines.
                let outcome = try await scene.run(
                    Programs.bash,
                    [
                        "-c", #"head -n 1 "$1"; tail -n +2 "$1" | timeout 10 "$2" "$3" "$4""#, "bash",
                        scene.path("lines"),
                        Programs.python.path, Programs.script("runner_client.py").path, scene.socket,
                    ])
                let replies = outcome.output.split(separator: "\n").dropFirst().map { JSONNode(String($0)) }
                try #require(replies.count == 2, "\(outcome)")
                #expect(replies[0].elements.map { $0["id"] } == ["a", 2])
                #expect(replies[0][0]["result"] == ["requests": []])
                #expect(replies[0][1]["result"] == ["runs": []])
                #expect(replies[1]["result"]["protocol"] == 1)
                #expect(replies[1]["result"]["access"] == "admin")
            }
        }
    }
}
