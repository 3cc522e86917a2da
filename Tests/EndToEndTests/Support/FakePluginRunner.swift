import Foundation
import Testing

/// A tiny runner for one plugin, which shares no code with ours: it welcomes it, keeps its requests and runs its tasks.
final class FakePluginRunner {
    struct Run {
        /// `nil` while it runs.
        var result: String?
        var message: String?
        var progress: [JSONNode] = []
        var log: [String] = []
    }

    let plugin: PluginProcess
    private(set) var registered: [String] = []
    private(set) var isLaunched = false
    private(set) var pending: [String: JSONNode] = [:]
    private(set) var runs: [Int: Run] = [:]
    /// Answers to our own requests.
    private var answers: [Int: JSONNode] = [:]
    private var lastRun = 0

    init(_ plugin: PluginProcess) throws {
        self.plugin = plugin
        try serve(until: { $0.isLaunched })
    }

    /// Launches, and waits until the handler was entered.
    func launch(_ identifier: String) throws -> Int {
        let run = try sendLaunch(identifier)
        try serve(until: { $0.answers[run] != nil })
        try #require(answers[run]?["error"].isNull == true, "\(answers[run] ?? .null)")
        return run
    }

    /// Launches; the number of the run is that of the request too.
    func sendLaunch(_ identifier: String) throws -> Int {
        lastRun += 1
        runs[lastRun] = Run()
        try send([
            "jsonrpc": "2.0", "id": .number(Double(lastRun)), "method": "task.launch",
            "params": [
                "run": .number(Double(lastRun)), "identifier": .string(identifier), "kind": "appRefresh",
                "origin": "simulated", "attempt": 1, "budgetSeconds": 30,
            ],
        ])
        return lastRun
    }

    func expire(_ run: Int, _ reason: String) throws {
        let params: JSONNode = ["run": .number(Double(run)), "reason": .string(reason), "graceSeconds": 5]
        try send(["jsonrpc": "2.0", "method": "task.expire", "params": params])
    }

    /// Asks it to end, and gives its exit status.
    func shutDown() async throws -> Int32 {
        try send(["jsonrpc": "2.0", "method": "shutdown", "params": ["reason": "idle", "graceSeconds": 5]])
        plugin.channel.finishSending()
        return try await plugin.end()
    }

    /// Answers what the plugin says until something is so.
    func serve(until isDone: (FakePluginRunner) throws -> Bool) throws {
        while try !isDone(self) {
            let line = try plugin.channel.receiveLine()
            try receive(JSONNode(try #require(line, "the plugin has ended; it says: \(plugin.text)")))
        }
    }

    /// Reads what the plugin still says until it ends.
    func serveToTheEnd() throws {
        while let line = try plugin.channel.receiveLine() { try receive(JSONNode(line)) }
    }

    // MARK: - Private

    private func receive(_ message: JSONNode) throws {
        guard let method = message["method"].text else {
            answers[try #require(message["id"].integer)] = message
            return
        }
        let params = message["params"]
        let run = params["run"].integer ?? 0
        switch method {
        case "hello":
            #expect(params["protocol"] == 1)
            try answer(message, ["protocol": 1, "app": "com.example.mail", "permitted": ["com.example.mail.*"]])
        case "register":
            registered.append(try #require(params["identifier"].text))
            try answer(message, ["registered": true])
        case "finishLaunching":
            isLaunched = true
            try answer(message, [:])
        case "submit":
            try submit(message, params)
        case "task.complete":
            let isFirst = runs[run]?.result == nil
            if isFirst {
                runs[run]?.result = params["result"].text
                runs[run]?.message = params["message"].text
            }
            try answer(message, ["accepted": .bool(isFirst)])
        case "task.progress": runs[run]?.progress.append(params)
        case "log": runs[run]?.log.append(params["message"].text ?? "")
        default: Issue.record("the plugin called \(method)")
        }
    }

    private func submit(_ message: JSONNode, _ params: JSONNode) throws {
        let identifier = try #require(params["identifier"].text)
        let old = pending[identifier]
        let keeps = old != nil && params["ifPending"] == "keep"
        if !keeps { pending[identifier] = params }
        let outcome = old == nil ? "submitted" : keeps ? "kept" : "replaced"
        try answer(message, ["outcome": .string(outcome), "request": pending[identifier] ?? .null])
    }

    private func answer(_ request: JSONNode, _ result: JSONNode) throws {
        try send(["jsonrpc": "2.0", "id": request["id"], "result": result])
    }

    private func send(_ message: JSONNode) throws {
        try plugin.channel.send(line: String(decoding: JSONEncoder().encode(message), as: UTF8.self))
    }
}
