import FoundationEssentials
import Glibc
import RPC
import Testing

@testable import Plugins

@Suite("docs/plugins.md")
struct PluginDocumentTests {
    private static let lines: [String] = {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let root = tests.deletingLastPathComponent().deletingLastPathComponent()
        let text = try? String(contentsOf: root.appending(path: "docs/plugins.md"), encoding: .utf8)
        return (text ?? "").split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    }()

    /// The lines of the conversation, each with who sends it.
    private static var conversation: [(isPlugin: Bool, text: String)] {
        let block = lines.drop { $0 != "```conversation" }.dropFirst().prefix { $0 != "```" }
        return block.map { ($0.hasPrefix("> "), String($0.dropFirst(2))) }
    }

    /// The cells of the rows of the table of methods.
    private static var rows: [[String]] {
        let table = lines.drop { $0 != "| from | method | params | result |" }.dropFirst(2).prefix { $0.hasPrefix("|") }
        return table.map { row in
            row.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false).map { cell in
                String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
        }
    }

    private static func members(_ message: (some PluginMessage).Type) -> String {
        message.members.map { "`\($0.name)\($0.isRequired ? "" : "?")`" }.joined(separator: ", ")
    }

    private static func readParams(_ method: PluginMethod, _ json: JSONValue?) throws {
        switch method {
        case .hello: _ = try HelloMessage(fromPlugin: json)
        case .register: _ = try RegisterMessage(fromPlugin: json)
        case .finishLaunching: _ = try EmptyMessage(fromPlugin: json)
        case .submit: _ = try SubmitMessage(fromPlugin: json)
        case .cancel: _ = try CancelMessage(fromPlugin: json)
        case .cancelAll: _ = try CancelAllMessage(fromPlugin: json)
        case .pending: _ = try PendingMessage(fromPlugin: json)
        case .complete: _ = try CompleteMessage(fromPlugin: json)
        case .progress: _ = try ProgressMessage(fromPlugin: json)
        case .log: _ = try LogMessage(fromPlugin: json)
        case .launch: _ = try LaunchMessage(fromPlugin: json)
        case .expire: _ = try ExpireMessage(fromPlugin: json)
        case .shutdown: _ = try ShutdownMessage(fromPlugin: json)
        }
    }

    private static func readResult(_ method: PluginMethod, _ json: JSONValue) throws {
        switch method {
        case .hello: _ = try HelloResult(fromPlugin: json)
        case .register: _ = try RegisterResult(fromPlugin: json)
        case .finishLaunching, .launch: _ = try EmptyMessage(fromPlugin: json)
        case .submit: _ = try SubmitResult(fromRunner: json)
        case .cancel: _ = try CancelResult(fromRunner: json)
        case .cancelAll: _ = try CancelAllResult(fromPlugin: json)
        case .pending: _ = try PendingResult(fromRunner: json)
        case .complete: _ = try CompleteResult(fromPlugin: json)
        case .progress, .log, .expire, .shutdown: Issue.record("\(method) has no result")
        }
    }

    @Test("each line of its conversation is a message that both ends read, and each request is answered once")
    func conversation() throws {
        var waiting: [Bool: [Int64: PluginMethod]] = [true: [:], false: [:]]
        var methods: Set<PluginMethod> = []
        for (isPlugin, text) in Self.conversation {
            let message = try JSONDocument.parse(Array(text.utf8)).root
            #expect(message["jsonrpc"]?.string == "2.0", "\(text)")
            if let name = message["method"]?.string {
                let method = try #require(PluginMethod(rawValue: name), "\(name)")
                #expect(method.isFromPlugin == isPlugin, "\(text)")
                #expect(method.isNotification == (message["id"] == nil), "\(text)")
                try Self.readParams(method, message["params"])
                if let number = message["id"]?.integer { waiting[isPlugin]?[number] = method }
                methods.insert(method)
            } else {
                let number = try #require(message["id"]?.integer, "\(text)")
                let asked = waiting[!isPlugin]?.removeValue(forKey: number)
                let method = try #require(asked, "\(text)")
                let result = try #require(message["result"], "\(text)")
                try Self.readResult(method, result)
            }
        }
        let unanswered = waiting.values.flatMap(\.values)
        #expect(unanswered == [])
        #expect(methods.count == PluginMethod.allCases.count - 3, "\(methods)")
    }

    @Test("its table has every method, from who sends it, with the members of its messages")
    func table() throws {
        let rows = Self.rows
        #expect(rows.map { $0[1] } == PluginMethod.allCases.map { "`\($0.rawValue)`" })
        for (method, row) in zip(PluginMethod.allCases, rows) {
            #expect(row[0] == (method.isFromPlugin ? "plugin" : "runner"))
            #expect((row[3] == "a notification") == method.isNotification, "\(row)")
            let (params, result): (String?, String?) =
                switch method {
                case .hello: (Self.members(HelloMessage.self), Self.members(HelloResult.self))
                case .register: (Self.members(RegisterMessage.self), Self.members(RegisterResult.self))
                case .finishLaunching: ("", "")
                case .submit: (nil, nil)
                case .cancel: (Self.members(CancelMessage.self), nil)
                case .cancelAll: (Self.members(CancelAllMessage.self), Self.members(CancelAllResult.self))
                case .pending: (Self.members(PendingMessage.self), nil)
                case .complete: (Self.members(CompleteMessage.self), Self.members(CompleteResult.self))
                case .progress: (Self.members(ProgressMessage.self), nil)
                case .log: (Self.members(LogMessage.self), nil)
                case .launch: (Self.members(LaunchMessage.self), "")
                case .expire: (Self.members(ExpireMessage.self), nil)
                case .shutdown: (Self.members(ShutdownMessage.self), nil)
                }
            if let params { #expect(row[2] == params, "\(method)") }
            if let result { #expect(row[3] == result, "\(method)") }
        }
    }

    @Test("its manifest is one without errors or warnings")
    func manifest() throws {
        let block = Self.lines.drop { $0 != "```json" }.dropFirst().prefix { $0 != "```" }
        let bundle = try TemporaryBundle("mail.plugin")
        try bundle.write("Info.json", block.joined(separator: "\n"))
        try bundle.write("bin/mail", "#!/bin/sh\n", mode: 0o755)
        let result = BundleLoader(folders: [bundle.plugins], daemonUser: geteuid()).load()
        #expect(result.problems.isEmpty, "\(result.problems)")
        #expect(result.bundles.first?.manifest.limits.openFiles == 64)
    }
}
