import Glibc
import Testing

@testable import Plugins

@Suite("What is wrong with the programs that a manifest names")
struct ProgramProblemTests {
    /// The problems of a bundle whose plugin, and one of whose tasks, is a program of this text.
    private func problems(_ text: String, arguments: String = "[]") throws -> [ManifestProblem] {
        let bundle = try TemporaryBundle()
        try bundle.write("bin/refresh", text, mode: 0o755)
        try bundle.write(
            "Info.json",
            manifestText(["RunnerPlugin": #"{"executable": "bin/refresh", "arguments": \#(arguments)}"#]))
        return bundle.read().problems
    }

    private static let keys = [
        "RunnerPlugin.executable", "RunnerTasks.com.example.mail.refresh.command[0]",
    ]

    @Test("an empty one cannot be started")
    func empty() throws {
        let problems = try problems("")
        #expect(problems.map(\.key) == Self.keys)
        #expect(
            problems.allSatisfy {
                $0.name == .notExecutable && $0.message.hasSuffix("/bin/refresh is empty.")
            })
    }

    @Test("a script whose interpreter is not there names it")
    func interpreter() throws {
        let problems = try problems("#!/usr/bin/pyhton3\n")
        #expect(problems.map(\.key) == Self.keys)
        #expect(
            problems.allSatisfy {
                $0.message.contains("names the interpreter “/usr/bin/pyhton3”, which is not there.")
            })
        #expect(problems.allSatisfy { $0.fix == "Install it, or correct the first line." })
    }

    @Test("a script that was written on Windows is told")
    func carriageReturn() throws {
        let problems = try problems("#!/bin/sh\r\nexit 0\r\n")
        #expect(problems.map(\.key) == Self.keys)
        #expect(problems.allSatisfy { $0.fix.contains("LF alone") })
    }

    @Test("an argument of 64 KiB is taken, and one more byte is too much")
    func arguments() throws {
        let longest = String(repeating: "x", count: 65_536)
        #expect(try problems("#!/bin/sh\n", arguments: #"["\#(longest)"]"#) == [])
        let problems = try problems("#!/bin/sh\n", arguments: #"["", "\#(longest)x"]"#)
        #expect(problems.map(\.key) == ["RunnerPlugin.arguments[1]"])
        #expect(problems.first?.message == "This has 65537 bytes, and may have 65536.")
    }
}
