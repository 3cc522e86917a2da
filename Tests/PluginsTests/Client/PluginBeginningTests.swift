import Platform
import Plugins
import RPC
import Scheduling
import TestSupport
import Testing

@Suite("How a plugin begins", .serialized, .timeLimit(.minutes(1)))
struct PluginBeginningTests {
    @Test("it says hello, registers, finishes launching, serves and ends when the runner hangs up")
    func wholeLife() throws {
        let runner = try FakeRunner(
            ClosurePlugin { registry in
                try registry.register(FakeRunner.refresh, kind: .processing) { (_: TaskContext) in }
            })
        try runner.answerHello()
        let register = try runner.receive(.register)
        let message = try RegisterMessage(fromPlugin: register.params)
        #expect(message == RegisterMessage(identifier: FakeRunner.refresh, kind: .processing))
        try runner.reply(register, RegisterResult())
        try runner.reply(runner.receive(.finishLaunching), EmptyMessage())
        try runner.launch(7)
        let complete = try CompleteMessage(fromPlugin: runner.receive(.complete).params)
        #expect(complete == CompleteMessage(run: RunIdentifier(7), result: .succeeded))
        runner.send(.shutdown, ShutdownMessage(reason: .idle, grace: .seconds(5)))
        runner.hangUp()
        #expect(try runner.waitForEnding() == .ended)
        #expect(runner.complaints.isEmpty)
    }

    @Test("a refused registration is thrown where it was made, with the runner's sentence (B7)")
    func refused() throws {
        let thrown = Locked<Refusal?>(nil)
        let runner = try FakeRunner(
            ClosurePlugin { registry in
                do throws(Refusal) {
                    try registry.register("com.example.mail.refrehs") { (_: TaskContext) in }
                } catch {
                    thrown.withLock { $0 = error }
                }
            })
        try runner.answerHello()
        let refusal = Refusal(.notPermitted, "Did you mean refresh?", nearest: FakeRunner.refresh)
        try runner.reply(runner.receive(.register), refusal)
        try runner.reply(runner.receive(.finishLaunching), EmptyMessage())
        #expect(thrown.withLock { $0 } == refusal)
        runner.hangUp()
        #expect(try runner.waitForEnding() == .ended)
    }

    @Test("a second handler of an identifier is refused with the line of the first (B6)")
    func twice() throws {
        let thrown = Locked<Refusal?>(nil)
        let runner = try FakeRunner(
            ClosurePlugin { registry in
                try registry.register(FakeRunner.refresh, fileID: "Mail/A.swift", line: 3) { (_: TaskContext) in }
                do throws(Refusal) {
                    try registry.register(FakeRunner.refresh, fileID: "Mail/B.swift", line: 4) { (_: LaunchedTask) in }
                } catch {
                    thrown.withLock { $0 = error }
                }
            })
        try runner.answerHello()
        try runner.reply(runner.receive(.register), RegisterResult())
        try runner.reply(runner.receive(.register), Refusal(.alreadyRegistered, "It has a handler."))
        try runner.reply(runner.receive(.finishLaunching), EmptyMessage())
        let refusal = try #require(thrown.withLock { $0 })
        #expect(refusal.related == ["Mail/A.swift:3"])
        #expect(refusal.message == "It has a handler. The first one is registered at Mail/A.swift:3.")
    }

    @Test("a plugin that cannot register ends with its own error")
    func cannotRegister() throws {
        let runner = try FakeRunner(
            ClosurePlugin { registry in try registry.register("a") { (_: TaskContext) in } })
        try runner.answerHello()
        try runner.reply(runner.receive(.register), Refusal(.notPermitted, "Not you."))
        #expect(try runner.waitForEnding() == .pluginFailed)
        #expect(runner.complaints == ["This plugin could not register its handlers: notPermitted: Not you."])
    }

    @Test("a runner that refuses hello, or answers what nobody understands, ends it")
    func badHello() throws {
        let refusing = try FakeRunner(ClosurePlugin())
        try refusing.reply(refusing.receive(.hello), Refusal(.invalidParams, "Too old."))
        #expect(try refusing.waitForEnding() == .badPeer)
        #expect(refusing.complaints == ["The runner does not take this plugin: Too old."])

        let newer = try FakeRunner(ClosurePlugin())
        try newer.reply(newer.receive(.hello)) { writer in
            writer.object { writer in
                writer.member("protocol", 2)
                writer.member("app", "com.example.mail")
                writer.member("permitted", strings: [])
            }
        }
        #expect(try newer.waitForEnding() == .badPeer)
        #expect(newer.complaints.count == 1)
        #expect(newer.complaints.first?.contains("'protocol' must be 1") == true)
    }

    @Test("garbage ends it, before and after the launch", arguments: [false, true])
    func garbage(afterLaunch: Bool) throws {
        let runner = try FakeRunner(ClosurePlugin())
        if afterLaunch { try runner.welcome() }
        runner.send("HTTP/1.1 200 OK\n")
        #expect(try runner.waitForEnding() == .badPeer)
        #expect(runner.complaints.count == 1)
        #expect(runner.complaints.first?.contains("not JSON") == true)
    }

    @Test("a line of the longest length is read, and one that is longer ends it")
    func longLine() throws {
        let runner = try FakeRunner(ClosurePlugin(), longestLine: 1_000)
        try runner.welcome()
        func line(_ length: Int) -> String {
            let begin = #"{"jsonrpc":"2.0","method":"x","params":[""#
            return begin + String(repeating: "x", count: length - begin.utf8.count - 3) + "\"]}\n"
        }
        runner.send(line(1_000))
        guard case .error(let error) = try runner.response(to: runner.sendLaunch(1)) else {
            Issue.record("it was entered")
            return
        }
        #expect(Refusal(error).kind == .notRegistered)
        runner.send(line(1_001))
        #expect(try runner.waitForEnding() == .badPeer)
        #expect(runner.complaints.count == 1)
    }

    @Test("an expiration that nobody can understand ends it")
    func badParams() throws {
        let runner = try FakeRunner(ClosurePlugin())
        try runner.welcome()
        runner.send(#"{"jsonrpc":"2.0","method":"task.expire","params":{"run":"all"}}"# + "\n")
        #expect(try runner.waitForEnding() == .badPeer)
        #expect(runner.complaints.first?.contains("'run' must be an integer") == true)
    }

    @Test("what only a newer runner says is passed over or answered")
    func newerMethods() throws {
        let runner = try FakeRunner(ClosurePlugin())
        try runner.welcome()
        runner.send(#"{"jsonrpc":"2.0","method":"task.sing","params":{}}"# + "\n")
        runner.send(#"{"jsonrpc":"2.0","id":1,"method":"task.dance","params":{}}"# + "\n")
        let outcome = try runner.responseToAnything()
        guard case .error(let error) = outcome else {
            Issue.record("it danced")
            return
        }
        #expect(error.code == RPCError.methodNotFoundCode)
        runner.hangUp()
        #expect(try runner.waitForEnding() == .ended)
    }

    @Test("a runner that hangs up while it is asked ends the plugin without a word", arguments: [0, 1, 2])
    func hangsUpEarly(answers: Int) throws {
        let runner = try FakeRunner(
            ClosurePlugin { registry in try registry.register(FakeRunner.refresh) { (_: TaskContext) in } })
        if answers > 0 { try runner.answerHello() }
        if answers > 1 { try runner.reply(runner.receive(.register), RegisterResult()) }
        _ = try runner.receive()
        runner.hangUp()
        #expect(try runner.waitForEnding() == .ended)
        #expect(runner.complaints.isEmpty)
    }

    @Test("after its launch it is told why the app was recovered, and what it then throws is logged")
    func launched() async throws {
        struct Tired: Error {}
        let seen = Occurrence<(AppIdentifier, RecoveryCause?)>()
        let runner = try FakeRunner(
            ClosurePlugin(launching: { app in
                seen.happen((app.identifier, app.recovered))
                throw Tired()
            }))
        try runner.welcome(recovered: .osUpgrade)
        let log = try LogMessage(fromPlugin: runner.receive(.log).params)
        #expect(log.level == .error)
        #expect(log.message.contains("Tired"))
        #expect(await seen.value == (FakeRunner.app, .osUpgrade))
        runner.hangUp()
        #expect(try runner.waitForEnding() == .ended)
    }

    @Test("a continued task is registered on demand, and launched at once (B5)")
    func onDemand() throws {
        let runner = try FakeRunner(
            ClosurePlugin(launching: { app in
                try await app.registerContinued("com.example.mail.export.1") { task in task.log("exporting") }
            }))
        try runner.welcome()
        let register = try runner.receive(.register)
        let message = try RegisterMessage(fromPlugin: register.params)
        #expect(message == RegisterMessage(identifier: "com.example.mail.export.1", kind: .continuedProcessing))
        // In one write: the handler must be there before its launch is read.
        try runner.withOneWrite {
            try runner.reply(register, RegisterResult())
            try runner.sendLaunch(3, "com.example.mail.export.1")
        }
        let log = try LogMessage(fromPlugin: runner.receive(.log).params)
        #expect(log == LogMessage(level: .info, message: "exporting", run: RunIdentifier(3)))
        #expect(try CompleteMessage(fromPlugin: runner.receive(.complete).params).result == .succeeded)
        runner.hangUp()
        #expect(try runner.waitForEnding() == .ended)
    }

    @Test("a launch without a handler is refused")
    func withoutHandler() throws {
        let runner = try FakeRunner(ClosurePlugin())
        try runner.welcome()
        guard case .error(let error) = try runner.response(to: runner.sendLaunch(1)) else {
            Issue.record("it was entered")
            return
        }
        #expect(Refusal(error).kind == .notRegistered)
    }
}
