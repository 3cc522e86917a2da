import Scheduling
import Testing

@testable import Plugins

/// A change to a good manifest, and the one problem that it makes.
struct ProblemCase: Sendable, CustomTestStringConvertible {
    var changes: [String: String]
    var severity: ManifestProblem.Severity
    var name: ManifestProblem.Name
    var key: String?
    var fix: String

    init(
        _ changes: [String: String], _ severity: ManifestProblem.Severity, _ name: ManifestProblem.Name,
        _ key: String?, fix: String
    ) {
        self.changes = changes
        self.severity = severity
        self.name = name
        self.key = key
        self.fix = fix
    }

    /// A change of the task's members.
    static func task(
        _ members: String, _ severity: ManifestProblem.Severity, _ name: ManifestProblem.Name, _ member: String,
        fix: String
    ) -> ProblemCase {
        ProblemCase(
            ["RunnerTasks": #"{"com.example.mail.refresh": {\#(members)}}"#], severity, name,
            "RunnerTasks.com.example.mail.refresh.\(member)", fix: fix)
    }

    var testDescription: String { changes.values.sorted().joined(separator: " ") }
}

@Suite("What is wrong with a manifest")
struct ManifestProblemTests {
    static let command = #""command": ["bin/refresh"]"#

    @Test("the manifest that the cases change has no problem")
    func good() throws {
        let bundle = try TemporaryBundle()
        try bundle.write("Info.json", manifestText())
        #expect(bundle.read().problems == [])
    }

    static let topLevel: [ProblemCase] = [
        ProblemCase(["CFBundleIdentifier": ""], .error, .missingKey, "CFBundleIdentifier", fix: "\"com.example.app\""),
        ProblemCase(
            ["CFBundleIdentifier": "", "CFBundleIdentifer": #""com.example.mail""#], .error, .missingKey,
            "CFBundleIdentifier", fix: "Is CFBundleIdentifer meant"),
        ProblemCase(["CFBundleIdentifier": "7"], .error, .wrongType, "CFBundleIdentifier", fix: "Write a string"),
        ProblemCase(
            ["CFBundleIdentifier": #""com..mail""#], .error, .invalidIdentifier, "CFBundleIdentifier",
            fix: "Use the bundle's CFBundleIdentifier"),
        ProblemCase(
            ["BGTaskSchedulerPermittedIdentifiers": ""], .error, .missingKey, "BGTaskSchedulerPermittedIdentifiers",
            fix: "List the identifiers"),
        ProblemCase(
            ["BGTaskSchedulerPermittedIdentifiers": #""com.example.mail.refresh""#], .error, .wrongType,
            "BGTaskSchedulerPermittedIdentifiers", fix: "Write an array of strings"),
        ProblemCase(
            ["BGTaskSchedulerPermittedIdentifiers": #"["com.example.mail.refresh", 1]"#], .error, .wrongType,
            "BGTaskSchedulerPermittedIdentifiers[1]", fix: "Write a string"),
        ProblemCase(
            ["BGTaskSchedulerPermittedIdentifiers": #"["com.example.mail.refresh", "a b"]"#], .error,
            .invalidIdentifier, "BGTaskSchedulerPermittedIdentifiers[1]", fix: "Use 1 to 128 bytes"),
        ProblemCase(
            ["BGTaskSchedulerPermittedIdentifiers": #"["com.example.mail.refresh", "com.example.mail.e*"]"#], .error,
            .invalidIdentifier, "BGTaskSchedulerPermittedIdentifiers[1]", fix: "Write com.example.mail.export.*"),
        ProblemCase(
            ["BGTaskSchedulerPermittedIdentifiers": #"["com.example.mail.refresh", "org.other.*"]"#], .error,
            .invalidIdentifier, "BGTaskSchedulerPermittedIdentifiers[1]", fix: "Write com.example.mail.other.*"),
        ProblemCase(
            ["BGTaskSchedulerPermittedIdentifiers": #"["com.example.mail.refresh", "com.example.mail.refresh"]"#],
            .warning, .withoutEffect, "BGTaskSchedulerPermittedIdentifiers[1]", fix: "Remove one"),
        ProblemCase(
            ["BGTaskSchedulerPermittedIdentifiers": #"["com.example.mail.refresh", "com.example.mail.other"]"#],
            .warning, .noHandler, "RunnerTasks.com.example.mail.other", fix: "Give it a command"),
        ProblemCase(["UIBackgroundModes": #""fetch""#], .error, .wrongType, "UIBackgroundModes", fix: "[\"fetch\"]"),
        ProblemCase(
            ["UIBackgroundModes": #"["fetch", "procesing"]"#], .warning, .modeMismatch, "UIBackgroundModes[1]",
            fix: "Did you mean \"processing\"?"),
        ProblemCase(
            ["UIBackgroundModes": #"["fetch", "processing"]"#], .warning, .modeMismatch, "UIBackgroundModes",
            fix: "Remove it"),
        ProblemCase(
            ["RunnerTask": "{}"], .error, .unknownKey, "RunnerTask", fix: "Did you mean RunnerTasks?"),
        ProblemCase(["RunnerColour": "{}"], .error, .unknownKey, "RunnerColour", fix: "the keys here are RunnerPlugin"),
        ProblemCase(["RunnerIsolation": #""proces""#], .error, .invalidValue, "RunnerIsolation", fix: "\"process\""),
        ProblemCase(["RunnerIsolation": "true"], .error, .wrongType, "RunnerIsolation", fix: "\"process\""),
        ProblemCase(["RunnerTasks": "[]"], .error, .wrongType, "RunnerTasks", fix: "Write a dictionary"),
        ProblemCase(["RunnerTasks": ""], .error, .noHandler, "RunnerTasks", fix: "Give each task a command"),
    ]

    static let tasks: [ProblemCase] = [
        ProblemCase(
            ["RunnerTasks": #"{"com.example.mail.refrsh": {\#(command)}, "com.example.mail.refresh": {\#(command)}}"#],
            .error, .notPermitted, "RunnerTasks.com.example.mail.refrsh",
            fix: "Did you mean com.example.mail.refresh? Else add com.example.mail.refrsh"),
        ProblemCase(
            ["RunnerTasks": #"{"com.example.mail.*": {\#(command)}}"#], .error, .invalidIdentifier,
            "RunnerTasks.com.example.mail.*", fix: "an entry for each identifier"),
        ProblemCase(
            ["RunnerTasks": #"{"com.example.mail.refresh": ["bin/refresh"]}"#], .error, .wrongType,
            "RunnerTasks.com.example.mail.refresh", fix: "Write a dictionary"),
        .task(#"\#(command), "evry": "15m""#, .error, .unknownKey, "evry", fix: "Did you mean every?"),
        .task(#"\#(command), "kind": "apprefresh""#, .error, .invalidValue, "kind", fix: "\"appRefresh\""),
        .task(#"\#(command), "kind": "zzz""#, .error, .invalidValue, "kind", fix: "\"continuedProcessing\""),
        .task(#"\#(command), "kind": 1"#, .error, .wrongType, "kind", fix: "Write a string"),
        .task(
            #"\#(command), "kind": "processing", "user": "root""#, .warning, .modeMismatch, "kind",
            fix: "Add \"processing\""),
        .task(#"\#(command), "every": 900"#, .error, .wrongType, "every", fix: "\"15m\""),
        .task(#"\#(command), "every": "15 minutes""#, .error, .invalidValue, "every", fix: "(ms, s, m, h or d)"),
        .task(#"\#(command), "every": "59s""#, .error, .invalidValue, "every", fix: "Write at least \"1m\"."),
        .task(#"\#(command), "every": "99999d""#, .error, .invalidValue, "every", fix: "Write at most \"36500d\"."),
        .task(#"\#(command), "budget": "0s""#, .error, .invalidValue, "budget", fix: "Write at least \"1s\"."),
        .task(#"\#(command), "grace": "2h""#, .error, .invalidValue, "grace", fix: "Write at most \"1h\"."),
        .task(#"\#(command), "retry": "yes""#, .error, .wrongType, "retry", fix: "true or false"),
        .task(#"\#(command), "retry": true"#, .warning, .withoutEffect, "retry", fix: "Add every"),
        .task(#"\#(command), "requiresExternalPower": 1"#, .error, .wrongType, "requiresExternalPower", fix: "true or"),
        .task(
            #"\#(command), "requiresNetworkConnectivity": null"#, .error, .wrongType, "requiresNetworkConnectivity",
            fix: "true or"),
        .task("", .error, .noHandler, "command", fix: "Add a command"),
        .task(#""command": []"#, .error, .invalidValue, "command", fix: "[\"bin/refresh\"]"),
        .task(#""command": "bin/refresh""#, .error, .wrongType, "command", fix: "[\"bin/refresh\", \"--all\"]"),
        .task(#""command": ["bin/refresh", 5]"#, .error, .wrongType, "command[1]", fix: "Write a string"),
        .task(#""command": ["bin/refresh", "a\u0000"]"#, .error, .invalidValue, "command[1]", fix: "NUL"),
        .task(#""command": ["bin/missing"]"#, .error, .missingFile, "command[0]", fix: "correct the path"),
        .task(#""command": ["bin/../../mail/x"]"#, .error, .leavesBundle, "command[0]", fix: "../"),
        .task(#""command": ["./notes.txt"]"#, .error, .notExecutable, "command[0]", fix: "chmod +x"),
        .task(#""command": ["/dev/null"]"#, .error, .notExecutable, "command[0]", fix: "can be run"),
        .task(#""command": ["/nowhere/at/all"]"#, .error, .missingFile, "command[0]", fix: "correct the path"),
        .task(#""command": ["no-such-program"]"#, .error, .missingFile, "command[0]", fix: "Install it"),
        .task(#""command": ["notes.txt"]"#, .error, .missingFile, "command[0]", fix: "\"./notes.txt\""),
        .task(#"\#(command), "workingDirectory": "../..""#, .error, .leavesBundle, "workingDirectory", fix: "../"),
        .task(#"\#(command), "workingDirectory": "cache""#, .error, .missingFile, "workingDirectory", fix: "Make it"),
        .task(
            #"\#(command), "workingDirectory": "notes.txt""#, .error, .invalidValue, "workingDirectory", fix: "folder"),
        .task(
            #"\#(command), "workingDirectory": "/nowhere/at/all""#, .warning, .missingFile, "workingDirectory",
            fix: "before the task runs"),
        .task(#"\#(command), "environment": ["A=1"]"#, .error, .wrongType, "environment", fix: "{\"NAME\": \"value\"}"),
        .task(#"\#(command), "environment": {"A": 1}"#, .error, .wrongType, "environment.A", fix: "Write a string"),
        .task(#"\#(command), "environment": {"A=B": "1"}"#, .error, .invalidValue, "environment.A=B", fix: "without ="),
        .task(
            #"\#(command), "environment": {"RUNNER_RUN": "1"}"#, .error, .invalidValue, "environment.RUNNER_RUN",
            fix: "another name"),
        .task(#"\#(command), "user": "a b""#, .error, .invalidValue, "user", fix: "name of a user"),
    ]

    static let continued: [ProblemCase] = [
        .task(
            #"\#(command), "kind": "continuedProcessing", "every": "1h""#, .error, .invalidValue, "every",
            fix: "another kind"),
        .task(
            #"\#(command), "kind": "continuedProcessing", "budget": "1h""#, .warning, .withoutEffect, "budget",
            fix: "Remove this key"),
    ]

    static let programs: [ProblemCase] = [
        ProblemCase(["RunnerPlugin": #""bin/refresh""#], .error, .wrongType, "RunnerPlugin", fix: "\"executable\""),
        ProblemCase(["RunnerPlugin": "{}"], .error, .missingKey, "RunnerPlugin", fix: "\"executable\""),
        ProblemCase(
            ["RunnerPlugin": #"{"executable": "bin/refresh", "library": "libMail.so"}"#], .error, .invalidValue,
            "RunnerPlugin", fix: "Remove one"),
        ProblemCase(
            ["RunnerPlugin": #"{"executable": "bin/refresh", "args": []}"#], .error, .unknownKey, "RunnerPlugin.args",
            fix: "arguments"),
        ProblemCase(
            ["RunnerPlugin": #"{"executable": "/bin/sh"}"#], .error, .leavesBundle, "RunnerPlugin.executable",
            fix: "into the bundle"),
        ProblemCase(
            ["RunnerPlugin": #"{"executable": "../x"}"#], .error, .leavesBundle, "RunnerPlugin.executable", fix: "../"),
        ProblemCase(
            ["RunnerPlugin": #"{"executable": "notes.txt"}"#], .error, .notExecutable, "RunnerPlugin.executable",
            fix: "chmod +x"),
        ProblemCase(
            ["RunnerPlugin": #"{"library": "libNo.so"}"#], .error, .missingFile, "RunnerPlugin.library",
            fix: "correct the path"),
        ProblemCase(
            ["RunnerPlugin": #"{"library": "libMail.so", "arguments": []}"#], .error, .invalidValue,
            "RunnerPlugin.arguments", fix: "Remove them"),
        ProblemCase(
            ["RunnerPlugin": #"{"executable": "bin/refresh", "arguments": "-v"}"#], .error, .wrongType,
            "RunnerPlugin.arguments", fix: "array of strings"),
        ProblemCase(
            ["RunnerPlugin": #"{"executable": "bin/refresh", "user": "a b"}"#], .error, .invalidValue,
            "RunnerPlugin.user", fix: "the name of a user"),
        ProblemCase(
            ["RunnerPlugin": #"{"library": "libMail.so", "user": 7}"#], .error, .wrongType, "RunnerPlugin.user",
            fix: "\"backup\""),
        ProblemCase(
            [
                "RunnerPlugin": #"{"executable": "bin/refresh"}"#,
                "RunnerTasks": #"{"com.example.mail.refresh": {"user": "root"}}"#,
            ], .warning, .withoutEffect, "RunnerTasks.com.example.mail.refresh.user", fix: "Add a command"),
        ProblemCase(
            ["RunnerPlugin": #"{"executable": "bin/refresh"}"#, "RunnerTasks": "", "UIBackgroundModes": ""], .warning,
            .modeMismatch, "UIBackgroundModes", fix: "\"processing\""),
    ]

    static let limits: [ProblemCase] = [
        ProblemCase(["RunnerLimits": "5"], .error, .wrongType, "RunnerLimits", fix: "\"256M\""),
        ProblemCase(["RunnerLimits": #"{"memroy": "1G"}"#], .error, .unknownKey, "RunnerLimits.memroy", fix: "memory?"),
        ProblemCase(
            ["RunnerLimits": #"{"memory": 256}"#], .error, .invalidValue, "RunnerLimits.memory", fix: "\"256M\""),
        ProblemCase(["RunnerLimits": #"{"memory": "1MB"}"#], .error, .invalidValue, "RunnerLimits.memory", fix: "K, M"),
        ProblemCase(["RunnerLimits": #"{"memory": true}"#], .error, .wrongType, "RunnerLimits.memory", fix: "K, M"),
        ProblemCase(
            ["RunnerLimits": #"{"cpuSeconds": 0}"#], .error, .invalidValue, "RunnerLimits.cpuSeconds", fix: "from 1"),
        ProblemCase(
            ["RunnerLimits": #"{"cpuSeconds": 1.5}"#], .error, .wrongType, "RunnerLimits.cpuSeconds", fix: "whole"),
        ProblemCase(
            ["RunnerLimits": #"{"openFiles": 7}"#], .error, .invalidValue, "RunnerLimits.openFiles", fix: "from 8"),
        ProblemCase(
            ["RunnerLimits": #"{"pendingRefresh": 0}"#], .error, .invalidValue, "RunnerLimits.pendingRefresh",
            fix: "from 1"),
        ProblemCase(
            ["RunnerLimits": #"{"pendingProcessing": "1"}"#], .error, .wrongType, "RunnerLimits.pendingProcessing",
            fix: "whole number"),
        ProblemCase(
            ["RunnerLimits": #"{"processes": 4}"#], .error, .invalidValue, "RunnerLimits.processes",
            fix: "Give every task a user"),
        ProblemCase(
            ["RunnerLimits": #"{"processes": 4}"#, "RunnerPlugin": #"{"executable": "bin/refresh"}"#], .error,
            .invalidValue, "RunnerLimits.processes", fix: "or give RunnerPlugin and every command a user"),
    ]

    @Test("is told with the key and the fix", arguments: topLevel + tasks + programs + limits)
    func problem(expected: ProblemCase) throws {
        let bundle = try TemporaryBundle()
        try bundle.write("Info.json", manifestText(expected.changes))
        let reading = bundle.read()
        let problem = try #require(
            reading.problems.first { $0.name == expected.name && $0.key == expected.key }, "\(reading.problems)")
        #expect(problem.severity == expected.severity)
        #expect(problem.fix.contains(expected.fix), "\(problem.fix)")
        #expect(problem.file == "\(bundle.folder)/Info.json")
        #expect((reading.manifest == nil) == (expected.severity == .error))
        // One cause, one error; a mode that nothing needs any more is told beside it.
        #expect(reading.problems.count { $0.severity == .error } == (expected.severity == .error ? 1 : 0))
    }

    @Test("continued processing neither recurs nor has a budget", arguments: continued)
    func continuedProcessing(expected: ProblemCase) throws {
        let bundle = try TemporaryBundle()
        try bundle.write("Info.json", manifestText(expected.changes.merging(["UIBackgroundModes": ""]) { $1 }))
        let problems = bundle.read().problems
        #expect(problems.map(\.name) == [expected.name])
        #expect(problems.first?.key == expected.key)
    }

    @Test("everything that is wrong is found in one reading")
    func allAtOnce() throws {
        let bundle = try TemporaryBundle()
        try bundle.write(
            "Info.json",
            manifestText([
                "UIBackgroundModes": "1", "RunnerLimit": "{}",
                "RunnerTasks": #"{"com.example.mail.refresh": {"command": ["bin/no"], "every": "1s", "kind": "x"}}"#,
            ]))
        let names = bundle.read().problems.filter { $0.severity == .error }.map(\.name)
        #expect(Set(names) == [.wrongType, .unknownKey, .missingFile, .invalidValue])
        #expect(names.count == 5)
    }

    @Test("keys of others are ignored, whatever they hold")
    func foreignKeys() throws {
        let bundle = try TemporaryBundle()
        try bundle.write(
            "Info.json", manifestText(["UILaunchScreen": "{\"$(NO)\": null}", "runner": "$(A)".debugDescription]))
        #expect(bundle.read().problems == [])
    }

    @Test("a task without a kind is app refresh, and lacks its mode")
    func implicitKind() throws {
        let bundle = try TemporaryBundle()
        try bundle.write("Info.json", manifestText(["UIBackgroundModes": ""]))
        let problem = try #require(bundle.read().problems.first)
        #expect(problem.severity == .warning)
        #expect(problem.key == "RunnerTasks.com.example.mail.refresh")
        #expect(problem.fix == "Add \"fetch\" to UIBackgroundModes, or give a kind.")
    }

    @Test(
        "a program of the bundle may handle tasks that have no command",
        arguments: [
            (#"{"executable": "bin/refresh", "arguments": ["-v"]}"#, "bin/refresh"),
            (#"{"library": "libMail.so"}"#, "libMail.so"),
        ])
    func program(plugin: String, file: String) throws {
        let bundle = try TemporaryBundle()
        try bundle.write(
            "Info.json",
            manifestText([
                "RunnerPlugin": plugin,
                "RunnerTasks": #"{"com.example.mail.refresh": {"kind": "appRefresh", "every": "1h"}}"#,
            ]))
        let reading = bundle.read()
        #expect(reading.problems == [])
        let program = try #require(reading.manifest?.program)
        #expect(program.path == "\(bundle.folder)/\(file)")
        if case .executable(_, let arguments) = program { #expect(arguments == ["-v"]) }
        #expect(reading.manifest?.appDescription(host: .commands).tasks.first?.hasCommand == false)
    }

    @Test("a problem reads as one line")
    func description() {
        let problem = ManifestProblem(
            .error, .syntax, file: "/a/Info.json", key: "RunnerTasks.x", line: 4, message: "It is wrong.",
            fix: "Mend it.")
        #expect(problem.description == "/a/Info.json:4: error: RunnerTasks.x: It is wrong. Mend it.")
    }
}
