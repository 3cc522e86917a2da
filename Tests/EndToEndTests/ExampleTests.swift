import Foundation
import Glibc
import Testing

@Suite("The examples, as they are run by a daemon", .serialized)
struct ExampleTests {
    private func bundle(_ name: String) -> [URL] {
        [Programs.examples.appendingPathComponent(name)]
    }

    private func launch(_ scene: Scene, _ identifier: String, submit: Bool = true) async throws -> JSONNode {
        try await scene.ask(
            "simulateLaunch", ["identifier": .string(identifier), "submit": .bool(submit), "wait": true])["run"]
    }

    private func output(_ scene: Scene, of run: JSONNode) async throws -> [String] {
        try await scene.ask("log", ["run": run["run"]])["lines"].elements.compactMap { $0["text"].text }
    }

    @Test("mirror copies what is new, keeps what is the same, removes what is gone, and says what is wrong")
    func mirror() async throws {
        try await Scene.with { scene in
            let identifier = "com.example.mirror.refresh"
            try scene.write("one", to: "a source/sub folder/one 'quoted'.txt")
            try scene.write("two", to: "a source/two.txt")
            let options = [
                "--define", "MIRROR_SOURCE=\(scene.path("a source"))", "--define",
                "MIRROR_TARGET=\(scene.path("deep/er/the mirror"))",
            ]
            try await scene.withDaemon(plugins: bundle("mirror"), options: options) { _ in
                // Its recurrence is pending; the simulation takes that request.
                let first = try await launch(scene, identifier, submit: false)
                #expect(first["state"] == "succeeded")
                #expect(first["progress"]["fraction"] == 1)
                #expect(try await output(scene, of: first) == ["copied 2, removed 0, unchanged 0"])
                #expect(scene.text("deep/er/the mirror/sub folder/one 'quoted'.txt") == "one")

                try scene.write("two, changed", to: "a source/two.txt")
                try FileManager.default.removeItem(atPath: scene.path("a source/sub folder"))
                try scene.write("three", to: "a source/three.txt")
                let second = try await launch(scene, identifier)
                #expect(try await output(scene, of: second) == ["copied 2, removed 2, unchanged 0"])
                #expect(scene.names(in: "deep/er/the mirror") == [".runner-mirror", "three.txt", "two.txt"])
                #expect(scene.text("deep/er/the mirror/two.txt") == "two, changed")
                #expect(try await output(scene, of: launch(scene, identifier)) == ["copied 0, removed 0, unchanged 2"])

                try FileManager.default.removeItem(atPath: scene.path("a source"))
                let last = try await launch(scene, identifier)
                #expect(last["state"] == "failed")
                #expect(last["exit"] == ["code": 1])
                #expect(try await output(scene, of: last).joined().contains("There is no folder"))
                #expect(scene.text("deep/er/the mirror/three.txt") == "three")
            }
        }
    }

    @Test("mirror that is expired half way holds whole files only, and is continued")
    func mirrorExpired() async throws {
        try await Scene.with { scene in
            let identifier = "com.example.mirror.refresh"
            let megabyte = String(repeating: "m", count: 1 << 20)
            for number in 0..<300 { try scene.write(megabyte, to: "source/\(number)") }
            let options = [
                "--define", "MIRROR_SOURCE=\(scene.path("source"))",
                "--define", "MIRROR_TARGET=\(scene.path("mirror"))",
            ]
            try await scene.withDaemon(plugins: bundle("mirror"), options: options) { _ in
                try await scene.ask("simulateLaunch", ["identifier": .string(identifier)])
                try await scene.wait("a few files are copied") { scene.names(in: "mirror").count > 4 }
                let expired = try await scene.ask(
                    "simulateExpiration", ["identifier": .string(identifier), "wait": true])["run"]
                try #require(expired["state"] == "expired")
                #expect(expired["exit"] == ["code": 143])
                let copied = scene.names(in: "mirror").filter { $0 != ".runner-mirror" }
                #expect((1..<300).contains(copied.count))
                for name in copied { #expect(scene.text("mirror/\(name)").utf8.count == 1 << 20) }
                #expect(try await launch(scene, identifier)["state"] == "succeeded")
                #expect(scene.names(in: "mirror").count == 301)
            }
        }
    }

    @Test("logrotate rotates on its recurrence, compresses what was rotated, and loses no line")
    func logrotate() async throws {
        try await Scene.with { scene in
            let identifier = "com.example.logrotate.rotate"
            try scene.write("first\n", to: "my logs/the app.log")
            try scene.write("other\n", to: "my logs/other.txt")
            let options = ["--define", "LOG_FOLDER=\(scene.path("my logs"))", "--define", "LOG_KEEP=2"]
            try await scene.withDaemon(plugins: bundle("logrotate"), options: options) { _ in
                var rotated = 0
                for number in 2...5 {
                    let pending = try await scene.ask("pending")["requests"]
                    #expect(pending.elements.map { $0["identifier"] } == [.string(identifier)])
                    let run = try await launch(scene, identifier, submit: false)
                    let said = try await output(scene, of: run)
                    #expect(run["state"] == "succeeded", "\(said)")
                    rotated += 1
                    let names = scene.names(in: "my logs")
                    #expect(names.filter { $0.hasPrefix("the app.log-") }.count == min(rotated, 3), "\(names)")
                    #expect(scene.text("my logs/the app.log") == "")
                    try scene.write("line \(number)\n", to: "my logs/the app.log")
                    // The second is in the names of old logs.
                    try await Task.sleep(for: .seconds(1))
                }
                let all = try await scene.run(
                    Programs.bash, ["-c", "cd -- \"$1\" && zcat -f -- *.log-* *.log", "bash", scene.path("my logs")])
                // Two compressed ones, the last one, and what was written since.
                #expect(all.output == "line 2\nline 3\nline 4\nline 5\n")
                #expect(scene.text("my logs/other.txt") == "other\n")
            }
        }
    }

    @Test("logrotate leaves an old log alone as long as its program writes into it")
    func logInUse() async throws {
        try await Scene.with { scene in
            let identifier = "com.example.logrotate.rotate"
            try scene.write("before\n", to: "logs/app.log")
            let writer = try FileHandle(forWritingTo: URL(fileURLWithPath: scene.path("logs/app.log")))
            try writer.seekToEnd()
            let options = ["--define", "LOG_FOLDER=\(scene.path("logs"))"]
            try await scene.withDaemon(plugins: bundle("logrotate"), options: options) { _ in
                #expect(try await launch(scene, identifier)["state"] == "succeeded")
                try writer.write(contentsOf: Data("after\n".utf8))
                #expect(try await launch(scene, identifier)["state"] == "succeeded")
                let old = try #require(scene.names(in: "logs").first { $0.hasPrefix("app.log-") })
                #expect(scene.text("logs/\(old)") == "before\nafter\n")
                try writer.close()
                #expect(try await launch(scene, identifier)["state"] == "succeeded")
                #expect(scene.names(in: "logs") == ["app.log", "\(old).gz"])
            }
        }
    }

    @Test(
        "what the examples cannot work on is said in one sentence",
        arguments: [
            ("database", "com.example.database.compact", "DATABASE_FILE=/nowhere/at all.db", "There is no database"),
            ("logrotate", "com.example.logrotate.rotate", "LOG_FOLDER=/nowhere/at all", "There is no folder"),
            ("mirror", "com.example.mirror.refresh", "MIRROR_SOURCE=/nowhere/at all", "There is no folder"),
        ])
    func missing(example: String, identifier: String, definition: String, sentence: String) async throws {
        try await Scene.with { scene in
            let options = ["--define", definition, "--define", "MIRROR_TARGET=\(scene.path("mirror"))"]
            try await scene.withDaemon(plugins: bundle(example), options: options) { _ in
                let run = try await launch(scene, identifier)
                #expect(run["state"] == "failed")
                let lines = try await scene.ask("log", ["run": run["run"]])["lines"].elements
                let errors = lines.filter { $0["stream"] == "stderr" }.compactMap { $0["text"].text }
                #expect(errors.count == 1)
                #expect(errors.first?.contains("\(sentence) /nowhere/at all") == true, "\(errors)")
            }
        }
    }

    @Test("the demo shows what it says, without a terminal")
    func demo() async throws {
        try await Scene.with { scene in
            let outcome = try await scene.run(
                Programs.examples.appendingPathComponent("demo.sh"), [],
                environment: ["RUNNER_BIN": Programs.folder.path, "TMPDIR": scene.folder.path])
            #expect(outcome.status == 0, "\(outcome)")
            #expect(outcome.output.contains("$ runnerctl explain com.example.hello.refresh"))
            #expect(outcome.output.hasSuffix("runnerd has ended, and every step did what it shows.\n"))
            // It removes its folder.
            #expect(!scene.names(in: ".").contains { $0.hasPrefix("tmp.") })
        }
    }

    @Test("the task in the shell says how far it is, and ends well when it is expired")
    func shell() async throws {
        try await Scene.with { scene in
            let identifier = "com.example.shell.count"
            try await scene.withDaemon(plugins: bundle("plugin-shell")) { _ in
                try await scene.ask("simulateLaunch", ["identifier": .string(identifier), "submit": true])
                try await scene.wait("it counts") {
                    let running = try await scene.ask("running")["runs"][0]
                    return (running["progress"]["fraction"].number ?? 0) >= 0.04
                }
                let expired = try await scene.ask(
                    "simulateExpiration", ["identifier": .string(identifier), "wait": true])["run"]
                #expect(expired["state"] == "expired")
                #expect(expired["exit"] == ["code": 143])
                #expect(expired["progress"]["title"].text?.hasSuffix(" of 50") == true)
                #expect(try await output(scene, of: expired).joined().hasPrefix("asked to end after "))

                let run = try await launch(scene, identifier)
                #expect(run["state"] == "succeeded")
                #expect(run["progress"]["title"] == "step 50 of 50")
                #expect(try await output(scene, of: run) == ["counted to 50 in run 2 of \(identifier)"])
            }
        }
    }
}
