import Foundation
import Testing

@Suite("Completions, in the shells themselves", .serialized)
struct CompletionTests {
    private static let zsh = "/usr/bin/zsh"
    private static let fish = "/usr/bin/fish"

    private func withDaemon(_ body: (Scene) async throws -> Void) async throws {
        try await Scene.with { scene in
            try scene.writeBundle(
                "app", tasks: ["backup": ["command": ["/bin/true"]], "refresh": ["command": ["/bin/true"]]])
            try await scene.withDaemon { _ in try await body(scene) }
        }
    }

    /// What a shell completes at the end of a line, in the order of the alphabet.
    private func complete(_ scene: Scene, _ shell: String, _ arguments: [String]) async throws -> [String] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let outcome = try await scene.run(
            URL(fileURLWithPath: shell), arguments,
            environment: [
                "PATH": "\(Programs.folder.path):\(path)", "RUNNER_SOCKET": scene.socket, "HOME": scene.folder.path,
            ])
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.errors == "", "\(outcome)")
        return outcome.output.split(separator: "\n").map { String($0) }.sorted()
    }

    /// Bash as it is when the tabulator key is pressed: the function that was registered, with the words torn apart.
    private func bash(_ scene: Scene, _ words: String...) async throws -> [String] {
        let script = """
            source <(runnerctl completions bash)
            [[ $(complete -p runnerctl) == "complete -F _runnerctl runnerctl" ]] || exit 1
            COMP_WORDS=(runnerctl "$@")
            COMP_CWORD=$#
            _runnerctl
            ((${#COMPREPLY[@]} == 0)) || printf '%s\\n' "${COMPREPLY[@]}"
            """
        return try await complete(
            scene, Programs.bash.path, ["--norc", "--noprofile", "-c", script, "bash"] + words)
    }

    @Test("bash completes commands, options, values and the daemon's identifiers")
    func inBash() async throws {
        try await withDaemon { scene in
            #expect(try await bash(scene, "simulate-") == ["simulate-expiration", "simulate-launch"])
            #expect(try await bash(scene, "submit", "com.example.app.backup", "--ear") == ["--earliest"])
            #expect(try await bash(scene, "submit", "--kind", "=", "proc") == ["processing"])
            #expect(
                try await bash(scene, "explain", "com.") == ["com.example.app.backup", "com.example.app.refresh"])
            #expect(try await bash(scene, "cancel", "") == [])
            try await scene.ask(
                "submit", ["identifier": "com.example.app.backup", "earliestBeginDate": .inSeconds(60)])
            #expect(try await bash(scene, "cancel", "") == ["com.example.app.backup"])
            #expect(try await bash(scene, "app", "opened", "") == ["com.example.app"])
            #expect(try await bash(scene, "replay", "") == [], "the shell itself knows the files")
        }
    }

    @Test("without a daemon bash still completes what the program itself knows, quietly")
    func withoutDaemon() async throws {
        try await Scene.with { (scene) async throws in
            #expect(try await bash(scene, "explain", "") == [])
            #expect(try await bash(scene, "device", "override", "ther") == ["thermal"])
        }
    }

    @Test("zsh completes the same", .enabled(if: FileManager.default.isExecutableFile(atPath: zsh), "zsh is not here"))
    func inZsh() async throws {
        try await withDaemon { (scene) async throws in
            // What zsh's own completion would be given, printed.
            let script = """
                compdef() { [[ "$*" == "_runnerctl runnerctl" ]] || exit 1 }
                _describe() { print -l -- "${(@P)2}" }
                _files() { print files }
                source <(runnerctl completions zsh)
                words=(runnerctl "$@") CURRENT=$(($# + 1))
                _runnerctl
                """
            func zsh(_ words: String...) async throws -> [String] {
                try await complete(scene, Self.zsh, ["-f", "-c", script, "zsh"] + words)
            }
            #expect(try await zsh("cancel-a") == ["cancel-all:Takes all pending requests back, or those of one app"])
            #expect(try await zsh("explain", "com.") == ["com.example.app.backup", "com.example.app.refresh"])
            #expect(try await zsh("submit", "--kind=proc") == ["--kind=processing"])
            #expect(try await zsh("replay", "") == ["files"])
            #expect(try await zsh("submit", "--earliest", "") == [])
        }
    }

    @Test(
        "fish completes the same", .enabled(if: FileManager.default.isExecutableFile(atPath: fish), "fish is not here"))
    func inFish() async throws {
        try await withDaemon { scene in
            func fish(_ line: String) async throws -> [String] {
                let script = "runnerctl completions fish | source; complete -C 'runnerctl \(line)'"
                return try await complete(scene, Self.fish, ["--no-config", "-c", script])
            }
            #expect(try await fish("cancel-a") == ["cancel-all\tTakes all pending requests back, or those of one app"])
            #expect(try await fish("explain com.") == ["com.example.app.backup", "com.example.app.refresh"])
            #expect(try await fish("submit --kind=proc") == ["--kind=processing"])
            #expect(try await fish("device override ").contains("thermal"))
            try scene.write("", to: "a-recording")
            #expect(try await fish("replay \(scene.path("a-rec"))") == [scene.path("a-recording")])
        }
    }
}
