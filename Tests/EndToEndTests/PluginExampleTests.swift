import Foundation
import Glibc
import Testing

@Suite("The mail example: one type of handlers, three ways to run it", .serialized)
struct PluginExampleTests {
    /// Loads a library as `runner-plugin-host` does, in a language without any of our code.
    private static let loader = """
        import ctypes, sys
        sys.exit(ctypes.CDLL(sys.argv[1]).runner_plugin_main(3))
        """

    private func assembled(_ scene: Scene, _ kind: String) async throws -> String {
        try await MailBundles.assemble(scene, kind).appendingPathComponent("mail.plugin").path
    }

    private func expectWhole(_ process: PluginProcess) async throws {
        let runner = try FakePluginRunner(process)
        #expect(runner.registered == [MailScenario.refresh, MailScenario.send, MailScenario.cleanup])
        try await MailScenario.play(on: ChannelMailHost(runner: runner))
        #expect(runner.runs[1]?.log == ["looked for mail in run 1, simulated"])
        #expect(runner.runs[3]?.log == ["stops after this folder"])
        #expect(try await runner.shutDown() == 0)
        #expect(process.text == "")
    }

    @Test("as a program")
    func program() async throws {
        try await Scene.with { scene in
            let bundle = try await assembled(scene, "executable")
            try await expectWhole(PluginProcess(["\(bundle)/bin/mail"], in: scene))
        }
    }

    @Test("as a shared library in a program of another language")
    func library() async throws {
        try await Scene.with { scene in
            let bundle = try await assembled(scene, "library")
            let words = [Programs.python.path, "-c", Self.loader, "\(bundle)/lib/libMail.so"]
            try await expectWhole(PluginProcess(words, in: scene))
        }
    }

    @Test("embedded", .enabled(if: OrdinaryUser.isAvailable))
    func embedded() async throws {
        try await Scene.with { scene in
            let places = ["XDG_STATE_HOME": scene.path("state"), "XDG_RUNTIME_DIR": scene.folder.path]
            let program = try OrdinaryUser.command(
                Programs.folder.appendingPathComponent("mail-embedded"), [], environment: places,
                keepingOutputIn: scene.folder)
            defer { program.signal(SIGKILL) }
            let host = ControlledMailHost { arguments in
                try await scene.run(
                    Programs.runnerctl, ["--app", "com.example.mail"] + arguments, environment: places)
            }
            try await scene.wait("the program answers") {
                try #require(program.process.isRunning, "\(program.errorsSoFar)")
                return try await host.control(["status"]).status == 0
            }
            try await MailScenario.play(on: host)
            #expect(program.errorsSoFar.contains("looked for mail in run 1, simulated"))
        }
    }

    @Test("in the daemon, as a program and as a library", arguments: ["executable", "library"])
    func hosted(kind: String) async throws {
        try await Scene.with { scene in
            let folder = try await MailBundles.assemble(scene, kind)
            try await scene.withDaemon(plugins: [folder]) { daemon in
                try await MailScenario.play(
                    on: ControlledMailHost { arguments in
                        try await scene.run(
                            Programs.runnerctl, arguments, environment: ["RUNNER_SOCKET": scene.socket])
                    })
                let runs = try await scene.ask("history")["runs"].elements.reversed()
                #expect(runs.map { $0["state"] } == ["succeeded", "failed", "failed"])
                let logs = [(1, "looked for mail in run 1, simulated"), (3, "stops after this folder")]
                for (run, line) in logs {
                    let lines = try await scene.ask("log", ["run": .number(Double(run))])["lines"].elements
                    #expect(lines.map { $0["text"] } == [.string(line)])
                }
                let process = try #require(try await scene.ask("apps")["apps"][0]["process"].integer)
                let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
                #expect(program.hasSuffix(kind == "library" ? "/runner-plugin-host" : "/mail.plugin/bin/mail"))
                daemon.signal(SIGTERM)
                #expect(await daemon.wait().status == 0)
            }
        }
    }

    @Test("the bundles are what the manifest says", arguments: ["executable", "library"])
    func bundles(kind: String) async throws {
        try await Scene.with { scene in
            let bundle = try await assembled(scene, kind)
            let outcome = try await scene.run(Programs.runnerctl, ["manifest", "check", bundle])
            #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
        }
    }

    @Test("started by hand it says what it is and how it is loaded")
    func byHand() async throws {
        try await Scene.with { scene in
            let bundle = try await assembled(scene, "executable")
            let outcome = try await scene.run(URL(fileURLWithPath: "\(bundle)/bin/mail"), [])
            #expect(outcome.status == 2)
            #expect(outcome.errors.contains("plugin of Runner"))
            #expect(outcome.errors.contains("runnerctl reload"))
            #expect(outcome.output.isEmpty)
        }
    }

    @Test(
        "a descriptor that is none is one sentence and the status 2",
        arguments: [("three", "must be the number"), ("987", "it is not open"), ("0", "it is not a socket")])
    func badDescriptor(text: String, words: String) async throws {
        try await Scene.with { scene in
            let bundle = try await assembled(scene, "executable")
            let process = try PluginProcess(
                ["\(bundle)/bin/mail"], environment: ["RUNNER_PLUGIN_FD": text], in: scene)
            #expect(try await process.end() == 2)
            #expect(process.text.contains(words), "\(process.text)")
            #expect(process.text.split(separator: "\n").count == 1)
        }
    }

    @Test("a runner that goes ends it at once, and one that talks nonsense with the status 2")
    func badRunners() async throws {
        try await Scene.with { scene in
            let bundle = try await assembled(scene, "executable")
            let gone = try PluginProcess(["\(bundle)/bin/mail"], in: scene)
            gone.channel.close()
            #expect(try await gone.end() == 0)
            let foreign = try PluginProcess(["\(bundle)/bin/mail"], in: scene)
            try foreign.channel.send(line: "SSH-2.0-OpenSSH_9.9")
            #expect(try await foreign.end() == 2)
            #expect(foreign.text.split(separator: "\n").count == 1, "\(foreign.text)")
        }
    }

    @Test("with nothing to do it is never woken, also after it has run something")
    func idle() async throws {
        try await Scene.with { scene in
            let bundle = try await assembled(scene, "executable")
            let process = try PluginProcess(["\(bundle)/bin/mail"], in: scene)
            let runner = try FakePluginRunner(process)
            _ = try ChannelMailHost(runner: runner).run(MailScenario.refresh)
            // The threads of the queues go after some seconds; the main thread and the reading one stay.
            try await scene.wait("its threads have gone: \(process.threads)") { process.threads.count == 2 }
            let before = process.wakeups
            try await Task.sleep(for: .seconds(3))
            #expect(process.threads.count == 2)
            #expect(process.wakeups == before)
            #expect(try await runner.shutDown() == 0)
        }
    }

    @Test("three hundred completions and the exit in one breath all arrive, also when they are read late")
    func oneBreath() async throws {
        try await Scene.with { scene in
            let program = Programs.folder.appendingPathComponent("breathless-plugin").path
            let runner = try FakePluginRunner(PluginProcess([program, "300"], in: scene))
            for _ in 1...300 { _ = try runner.sendLaunch("com.example.breathless.run") }
            // Its answers and completions fill the socket; then it exits.
            try await Task.sleep(for: .seconds(1))
            try runner.serveToTheEnd()
            #expect(try await runner.plugin.end() == 0)
            #expect(runner.runs.count == 300)
            #expect(runner.runs.values.allSatisfy { $0.result == "succeeded" })
        }
    }

    @Test("a process that completes and exits at once has completed, a hundred times over")
    func completesAndExits() async throws {
        try await Scene.with { scene in
            let program = Programs.folder.appendingPathComponent("breathless-plugin").path
            for _ in 1...100 {
                let runner = try FakePluginRunner(PluginProcess([program], in: scene))
                let run = try runner.launch("com.example.breathless.run")
                #expect(try await runner.plugin.end() == 0)
                try runner.serveToTheEnd()
                #expect(runner.runs[run]?.result == "succeeded")
            }
        }
    }
}
