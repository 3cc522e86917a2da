import Plugins
import RPC
import Scheduling
import Testing

@Suite("The messages of the plugin protocol")
struct PluginMessageTests {
    private static let run = RunIdentifier(12)
    private static let task = TaskIdentifier(checked: "com.example.mail.refresh")
    private static let app = AppIdentifier(checked: "com.example.mail")

    private static func json(_ message: some PluginMessage) throws -> JSONValue {
        var writer = JSONWriter()
        message.write(into: &writer)
        return try JSONDocument.parse(writer.bytes).root
    }

    private func expectRoundTrip<Message: PluginMessage>(_ message: Message) throws {
        let json = try Self.json(message)
        #expect(try Message(fromPlugin: json) == message)
        #expect(try Message(fromRunner: json) == message)
    }

    @Test("what a plugin says reads back as it was written")
    func fromPlugin() throws {
        try expectRoundTrip(HelloMessage(kit: "swift", version: "1.0"))
        for kind in TaskKind.allCases {
            try expectRoundTrip(RegisterMessage(identifier: "com.example.mail.refresh", kind: kind))
        }
        try expectRoundTrip(RegisterMessage(identifier: "com.example.mail.export.1", infersKind: true))
        try expectRoundTrip(RegisterMessage(identifier: "ill formed"))
        try expectRoundTrip(EmptyMessage())
        try expectRoundTrip(CancelMessage(identifier: Self.task))
        try expectRoundTrip(CancelAllMessage())
        try expectRoundTrip(CancelAllMessage(app: Self.app))
        try expectRoundTrip(PendingMessage())
        try expectRoundTrip(PendingMessage(identifier: Self.task, app: Self.app, limit: 7, after: Cursor.text(9)))
        for result in RunResult.allCases {
            try expectRoundTrip(CompleteMessage(run: Self.run, result: result, message: "why"))
        }
        try expectRoundTrip(CompleteMessage(run: Self.run, result: .succeeded))
        try expectRoundTrip(ProgressMessage(run: Self.run, progress: RunProgress(fraction: 0.25)))
        try expectRoundTrip(
            ProgressMessage(run: Self.run, progress: RunProgress(fraction: 1, title: "t", subtitle: "s")))
        for level in TaskLogLevel.allCases {
            try expectRoundTrip(LogMessage(level: level, message: "“line”", run: Self.run))
        }
        try expectRoundTrip(LogMessage(level: .info, message: ""))
    }

    @Test("what the runner says reads back as it was written")
    func fromRunner() throws {
        for cause in RecoveryCause.allCases {
            try expectRoundTrip(HelloResult(app: Self.app, permitted: ["com.example.mail.*"], recovered: cause))
        }
        var limits = ConnectionLimits()
        limits.lineBytes = 70_000
        try expectRoundTrip(HelloResult(app: Self.app, permitted: [], limits: PluginLimits(limits)))
        try expectRoundTrip(RegisterResult())
        try expectRoundTrip(CancelAllResult(cancelled: 3))
        try expectRoundTrip(CompleteResult(accepted: false))
        for reason in ExpirationReason.allCases {
            try expectRoundTrip(ExpireMessage(run: Self.run, reason: reason, grace: .milliseconds(1_500)))
        }
        for reason in ShutdownReason.allCases {
            try expectRoundTrip(ShutdownMessage(reason: reason, grace: .seconds(5)))
        }
    }

    @Test("a launch order loses nothing on its way to the plugin")
    func launch() throws {
        for origin in RunOrigin.allCases {
            let order = LaunchOrder(
                run: Self.run, identifier: Self.task, app: Self.app, kind: .continuedProcessing, origin: origin,
                attempt: 3, budget: .milliseconds(30_500), title: "t", subtitle: "s", recovered: .reboot)
            try expectRoundTrip(LaunchMessage(order))
            #expect(try LaunchMessage(fromRunner: Self.json(LaunchMessage(order))).order(for: Self.app) == order)
        }
        let unlimited = LaunchOrder(
            run: Self.run, identifier: Self.task, app: Self.app, kind: .appRefresh, origin: .scheduled, attempt: 1)
        try expectRoundTrip(LaunchMessage(unlimited))
        #expect(try LaunchMessage(fromRunner: Self.json(LaunchMessage(unlimited))).budget == nil)
    }

    @Test("a submission is the one of the control socket")
    func submission() throws {
        let request = TaskRequest(
            identifier: Self.task, kind: .continuedProcessing, floor: WallTime(milliseconds: 1_900_000_000_123),
            requiresNetworkConnectivity: true, requiresExternalPower: true, title: "t", subtitle: "s", strategy: .queue)
        try expectRoundTrip(SubmitMessage(request: request))
        try expectRoundTrip(SubmitMessage(request: TaskRequest(identifier: Self.task)))
        for choice in PendingChoice.allCases {
            let tolerance: Duration? = choice == .keepEarlier ? .milliseconds(2_500) : nil
            let options = SubmissionOptions(ifPending: choice, tolerance: tolerance)
            let message = SubmitMessage(request: request, options: options)
            try expectRoundTrip(message)
            let reader = try ParameterReader(Self.json(message), for: ControlMethods.submit)
            let read = try reader.submission()
            #expect(read.request == request)
            #expect(read.options == options)
        }
    }

    @Test("a plugin reads what the control socket's writers write")
    func answers() throws {
        var request = PendingRequest(
            identifier: Self.task, app: Self.app, kind: .processing, floor: WallTime(milliseconds: 1_900_000_000_000),
            submittedAt: WallTime(milliseconds: 1), submittedBoot: BootTime(milliseconds: 1),
            bootIdentifier: BootIdentifier("b"), submission: 4)
        request.requiresExternalPower = true
        let submitted = SubmissionResult(outcome: .replaced, request: request, previous: request, postponed: 2)
        var writer = JSONWriter()
        SubmitResult.write(submitted, into: &writer)
        let read = try SubmitResult(fromRunner: JSONDocument.parse(writer.bytes).root)
        #expect(read.outcome == .replaced)
        #expect(read.request == request.asked)
        #expect(read.postponed == 2)

        writer.reset()
        PendingResult.write([request], next: Cursor.text(5), into: &writer)
        let pending = try PendingResult(fromRunner: JSONDocument.parse(writer.bytes).root)
        #expect(pending.requests == [request.asked])
        #expect(pending.next == Cursor.text(5))

        for request in [request, nil] {
            writer.reset()
            CancelResult.write(request, into: &writer)
            #expect(try CancelResult(fromRunner: JSONDocument.parse(writer.bytes).root).cancelled == (request != nil))
        }
    }

    @Test("a refusal reaches the plugin with its kind, its sentence and what it names")
    func refusals() throws {
        let refusal = Refusal(
            .alreadyRegistered, "It is there.", nearest: "near", related: ["Mail.swift:3"], member: "identifier")
        let error = RPCError(refusal)
        var plugin = ConnectionState()
        let identifier = plugin.request("register")
        var runner = ConnectionState()
        runner.receive(plugin.takeOutput())
        guard case .request(let token, _) = runner.next() else {
            Issue.record("no request")
            return
        }
        runner.complete(token, error: error)
        plugin.receive(runner.takeOutput())
        guard case .response(let response) = plugin.next(), case .error(let received) = response.outcome else {
            Issue.record("no error")
            return
        }
        #expect(response.identifier == identifier)
        #expect(Refusal(received) == refusal)
    }

    @Test("what a plugin may not say is refused, and what a newer runner adds is left out")
    func unknownMembers() throws {
        let json = try JSONDocument.parse(Array(#"{"accepted":true,"since":"tomorrow"}"#.utf8)).root
        #expect(throws: RPCError.self) { try CompleteResult(fromPlugin: json) }
        #expect(try CompleteResult(fromRunner: json) == CompleteResult(accepted: true))
    }

    @Test(
        "a message without what it must have is refused",
        arguments: [
            #"{"run":0,"result":"succeeded"}"#, #"{"run":1,"result":"perfect"}"#, #"{"run":"1","result":"failed"}"#,
            #"{"result":"failed"}"#, #"{"run":1.5,"result":"failed"}"#, "{}",
        ])
    func incomplete(_ text: String) throws {
        let json = try JSONDocument.parse(Array(text.utf8)).root
        #expect(throws: RPCError.self) { try CompleteMessage(fromPlugin: json) }
        #expect(throws: RPCError.self) { try CompleteMessage(fromPlugin: nil) }
    }

    @Test("another version of the protocol is refused on both sides", arguments: [0, 2, -1])
    func versions(_ version: Int) throws {
        let hello = try JSONDocument.parse(Array(#"{"protocol":\#(version),"kit":"k","version":"v"}"#.utf8)).root
        #expect(throws: RPCError.self) { try HelloMessage(fromPlugin: hello) }
        let text = #"{"protocol":\#(version),"app":"com.example.mail","permitted":[]}"#
        let result = try JSONDocument.parse(Array(text.utf8)).root
        #expect(throws: RPCError.self) { try HelloResult(fromRunner: result) }
    }

    @Test("words that only a newer runner knows are no reason to fail")
    func newerWords() throws {
        let text = #"{"protocol":1,"app":"com.example.mail","permitted":[],"recovered":"earthquake"}"#
        let hello = try HelloResult(fromRunner: JSONDocument.parse(Array(text.utf8)).root)
        #expect(hello.recovered == nil)
        #expect(hello.limits == PluginLimits())
        let shutdown = #"{"reason":"earthquake","graceSeconds":1}"#
        #expect(try ShutdownMessage(fromRunner: JSONDocument.parse(Array(shutdown.utf8)).root).reason == .stopped)
    }

    @Test("no number of seconds is too large to count with")
    func longestSeconds() throws {
        let json = try JSONDocument.parse(Array(#"{"run":1,"reason":"budget","graceSeconds":1e300}"#.utf8)).root
        #expect(try ExpireMessage(fromRunner: json).grace == .seconds(31_536_000))
    }

    @Test("texts are cut at their limits, on both sides, and never within a character")
    func limits() throws {
        let title = String(repeating: "ä", count: 512)
        let kept = ProgressMessage(run: Self.run, progress: RunProgress(fraction: 0, title: title, subtitle: title))
        #expect(kept.progress.title == title)
        #expect(kept.progress.subtitle == title)
        let cut = ProgressMessage(run: Self.run, progress: RunProgress(fraction: 0, title: "x" + title))
        #expect(cut.progress.title == "x" + String(repeating: "ä", count: 511))

        let line = String(repeating: "x", count: 8_192)
        #expect(LogMessage(level: .info, message: line).message == line)
        #expect(LogMessage(level: .info, message: line + "y").message == line)
        #expect(CompleteMessage(run: Self.run, result: .failed, message: line).message == line)
        #expect(CompleteMessage(run: Self.run, result: .failed, message: line + "y").message == line)

        let json = try JSONDocument.parse(Array(#"{"level":"info","message":"\#(line)y"}"#.utf8)).root
        #expect(try LogMessage(fromPlugin: json).message == line)
    }

    @Test("each method has one direction, and only those that nobody waits for are notifications")
    func methods() {
        let toPlugin = PluginMethod.allCases.filter { !$0.isFromPlugin }
        #expect(toPlugin.map(\.rawValue) == ["task.launch", "task.expire", "shutdown"])
        let notifications = PluginMethod.allCases.filter(\.isNotification)
        #expect(Set(notifications.map(\.rawValue)) == ["task.progress", "log", "task.expire", "shutdown"])
    }
}
