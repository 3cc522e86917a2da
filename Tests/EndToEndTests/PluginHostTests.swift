import Foundation
import Testing

@Suite("The program that loads libraries")
struct PluginHostTests {
    /// Builds a shared library with the toolchain's C compiler.
    private func build(_ scene: Scene, _ source: String, options: [String] = ["-shared"], name: String = "libMail.so")
        async throws -> String
    {
        try scene.write(source, to: "\(name).c")
        let arguments = ["clang", "-fPIC", "-o", scene.path(name), scene.path("\(name).c")] + options
        let outcome = try await scene.run(Programs.env, arguments)
        try #require(outcome.status == 0, "\(outcome.errors)")
        return scene.path(name)
    }

    /// Runs the host as the daemon does, with its channel as descriptor 3; what is written there is in the file `channel`.
    private func host(_ scene: Scene, _ library: String, _ arguments: String...) async throws -> Command.Outcome {
        try await scene.run(
            Programs.bash,
            [
                "-c", #"exec 3> "$0"; RUNNER_PLUGIN_FD=3 exec "$@""#, scene.path("channel"), Programs.pluginHost.path,
                library,
            ]
                + arguments)
    }

    private func manifestCheck(_ scene: Scene, library: String) async throws -> Command.Outcome {
        let app = "com.example.mail"
        try scene.write(
            """
            {"CFBundleIdentifier": "\(app)", "BGTaskSchedulerPermittedIdentifiers": ["\(app).refresh"],
             "UIBackgroundModes": ["fetch"], "RunnerPlugin": {"library": "\(library)"}}
            """, to: "mail.plugin/Info.json")
        return try await scene.control("manifest", "check", scene.path("mail.plugin"), "--json")
    }

    private static let good = """
        #include <fcntl.h>
        #include <unistd.h>
        int runner_plugin_main(int fd) {
            int is_inherited = !(fcntl(fd, F_GETFD) & FD_CLOEXEC);
            return write(fd, "hello\\n", 6) == 6 && !is_inherited ? 37 : 1;
        }
        """

    @Test("it hands its channel to the library, and ends as the library says")
    func good() async throws {
        try await Scene.with { scene in
            let library = try await build(scene, Self.good, name: "mail.plugin/libMail.so")
            let outcome = try await host(scene, library, "an argument")
            #expect(outcome.status == 37, "\(outcome.errors)")
            #expect(scene.text("channel") == "hello\n")
            #expect(outcome.output.isEmpty && outcome.errors.isEmpty)
            let check = try await manifestCheck(scene, library: "libMail.so")
            #expect(check.json["problems"] == [], "\(check.output)")
        }
    }

    @Test("a library is looked for in the working folder, not in the system's")
    func relative() async throws {
        try await Scene.with { scene in
            _ = try await build(scene, Self.good)
            let line = #"cd "$0" && RUNNER_PLUGIN_FD=3 exec "$1" libMail.so 3> channel"#
            let arguments = ["-c", line, scene.folder.path, Programs.pluginHost.path]
            #expect(try await scene.run(Programs.bash, arguments).status == 37)
            try FileManager.default.removeItem(atPath: scene.path("libMail.so"))
            let outcome = try await scene.run(Programs.bash, arguments)
            #expect(outcome.status == 2)
            #expect(
                outcome.errors
                    == "runner-plugin-host: ./libMail.so does not exist. Put it there, or correct the path.\n")
        }
    }

    @Test("what cannot be loaded is status 2 with one sentence, which manifest check says too")
    func refused() async throws {
        try await Scene.with { scene in
            let other = "int runner_plugin_mian(int fd) { return fd; }"
            let library = try await build(scene, other, name: "mail.plugin/libMail.so")
            let outcome = try await host(scene, library)
            #expect(outcome.status == 2)
            #expect(
                outcome.errors == """
                    runner-plugin-host: \(library) does not export the function runner_plugin_main; the nearest is \
                    runner_plugin_mian. Rename runner_plugin_mian to runner_plugin_main.

                    """)
            let problem = try await manifestCheck(scene, library: "libMail.so").json["problems"][0]
            #expect(problem["name"] == "notLoadable")
            #expect(problem["severity"] == "error")
            #expect(problem["key"] == "RunnerPlugin.library")
            #expect(problem["file"].text?.hasSuffix("/mail.plugin/Info.json") == true)
            let sentence = "\(problem["message"].text ?? "") \(problem["fix"].text ?? "")"
            #expect(outcome.errors.hasSuffix("\(sentence)\n"), "\(sentence)")
        }
    }

    @Test("no code of a library that is refused runs, and its constructors do when it is loaded")
    func constructors() async throws {
        try await Scene.with { scene in
            let marker = scene.path("ran")
            let constructor = """
                #include <fcntl.h>
                __attribute__((constructor)) static void run(void) { open("\(marker)", O_CREAT | O_WRONLY, 0600); }
                int ENTRY(int fd) { return 0; }
                """
            let bad = try await build(scene, constructor, options: ["-shared", "-DENTRY=other"], name: "bad.so")
            #expect(try await host(scene, bad).status == 2)
            #expect(!scene.exists("ran"))
            let entry = ["-shared", "-DENTRY=runner_plugin_main"]
            #expect(try await host(scene, build(scene, constructor, options: entry)).status == 0)
            #expect(scene.exists("ran"))
        }
    }

    @Test("a library that needs what is not there, or was linked as a program, says so")
    func unloadable() async throws {
        try await Scene.with { scene in
            let source = "int missing(void); int runner_plugin_main(int fd) { return missing(); }"
            let library = try await build(scene, source)
            let outcome = try await host(scene, library)
            #expect(outcome.status == 2)
            #expect(outcome.errors.hasPrefix("runner-plugin-host: \(library) cannot be loaded: "))
            #expect(outcome.errors.contains("undefined symbol: missing."))
            #expect(outcome.errors.split(separator: "\n").count == 1)

            let program = "int runner_plugin_main(int fd) { return fd; } int main(void) { return 0; }"
            let executable = try await build(scene, program, options: ["-rdynamic"], name: "program")
            #expect(
                try await host(scene, executable).errors.contains("is an executable and no shared library. Link it"))
        }
    }

    @Test("started by hand it says what it is and how a library is loaded")
    func byHand() async throws {
        try await Scene.with { scene in
            for arguments in [[], ["libMail.so"]] {
                let outcome = try await scene.run(Programs.pluginHost, arguments)
                #expect(outcome.status == 2)
                #expect(outcome.errors.contains("runnerd starts it"))
                #expect(outcome.errors.contains("\"RunnerPlugin\": { \"library\": \"libMail.so\" }"))
            }
            let help = try await scene.run(Programs.pluginHost, ["--help"])
            #expect(help.status == 0)
            #expect(help.output.contains("runnerd starts it"))
            for channel in ["99", "-1", "", "3x", "99999999999999999999"] {
                let outcome = try await scene.run(
                    Programs.pluginHost, ["libMail.so"], environment: ["RUNNER_PLUGIN_FD": channel])
                #expect(outcome.status == 2)
                #expect(outcome.errors.contains("RUNNER_PLUGIN_FD=\(channel) names no open descriptor"))
            }
        }
    }

    @Test("it has no Swift runtime")
    func runtime() async throws {
        try await Scene.with { scene in
            let libraries = try await scene.run(Programs.env, ["ldd", Programs.pluginHost.path])
            #expect(libraries.status == 0)
            #expect(libraries.output.contains("libc.so"))
            #expect(!libraries.output.contains("swift"), "\(libraries.output)")
            let bytes = try Data(contentsOf: Programs.pluginHost)
            #expect(bytes.range(of: Data("swift_retain".utf8)) == nil)
        }
    }
}
