import FoundationEssentials
import Testing

@testable import RunnerControl

struct PluginNewTests: ~Copyable {
    private let folder: String

    init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/runner-new-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func new(_ name: String, _ options: String..., variables: [String: String] = [:]) -> Session {
        Session(["plugin", "new", name, "--directory", folder] + options, variables: variables)
    }

    private func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: "\(folder)/\(path)")), as: UTF8.self)
    }

    private func permissions(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: "\(folder)/\(path)")[.posixPermissions] as? Int)
    }

    @Test("a bundle in a scripting language is right at once, and says how to run it", arguments: ["python", "shell"])
    func scripts(language: String) throws {
        let session = new("my-mail", "--language", language)
        #expect(session.status == .done, "\(session.errors)")
        #expect(session.tried.isEmpty)
        let program = language == "python" ? "bin/plugin" : "bin/refresh"
        for part in [
            "\(folder)/my-mail.plugin/Info.json\n", "\(folder)/my-mail.plugin/\(program)\n",
            "The app com.example.my-mail with the task com.example.my-mail.refresh. Next:",
            "    runnerctl manifest check \(folder)/my-mail.plugin\n", "    runnerd --foreground --plugins \(folder)\n",
            "    runnerctl simulate-launch com.example.my-mail.refresh --submit --wait\n",
        ] {
            #expect(session.output.contains(part), "\(part)")
        }
        let check = Session(["manifest", "check", "\(folder)/my-mail.plugin"])
        #expect(check.status == .done)
        #expect(check.output.hasSuffix("nothing is wrong (com.example.my-mail).\n"), "\(check.output)")
        #expect(try permissions("my-mail.plugin/\(program)") & 0o133 == 0o111)
        #expect(try permissions("my-mail.plugin/Info.json") & 0o133 == 0)
    }

    @Test("a Swift package makes its bundle with make, and gets Runner from where it is told")
    func swift() throws {
        let session = new("my-mail", "--language", "swift", "--package", "/opt/a \"checkout\"")
        #expect(session.status == .done, "\(session.errors)")
        #expect(session.output.contains("    make -C \(folder)/my-mail\n"))
        #expect(session.output.contains("    runnerd --foreground --plugins \(folder)/my-mail\n"))
        #expect(session.output.contains("    runnerctl manifest check \(folder)/my-mail/my-mail.plugin\n"))
        let manifest = try text("my-mail/Package.swift")
        #expect(manifest.contains(#".package(name: "runner", path: "/opt/a \"checkout\"")"#))
        #expect(
            manifest.contains(#"name: "MyMailPlugin", dependencies: [.product(name: "Plugins", package: "runner")]"#))
        #expect(try text("my-mail/Sources/MyMailPlugin/MyMailTasks.swift").contains("struct MyMailTasks: TaskPlugin {"))
        let makefile = try text("my-mail/Makefile")
        #expect(makefile.contains("\n\tinstall -m 644 Info.json my-mail.plugin/Info.json\n"))
        #expect(!makefile.contains("\n    "))

        // What make puts together.
        let bundle = "\(folder)/my-mail/my-mail.plugin"
        try FileManager.default.createDirectory(atPath: bundle + "/bin", withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: "\(folder)/my-mail/Info.json", toPath: bundle + "/Info.json")
        #expect(Session(["manifest", "check", bundle]).output.contains("There is no file \(bundle)/bin/plugin."))
        try Data("#!".utf8).write(to: URL(filePath: bundle + "/bin/plugin"))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: bundle + "/bin/plugin")
        #expect(Session(["manifest", "check", bundle]).status == .done)
    }

    @Test(
        "without an option the package is that of the environment, else the checkout around the program, else an error")
    func packages() throws {
        #expect(new("a", "--language", "swift", variables: ["RUNNER_PACKAGE": "relative"]).status == .done)
        let working = FileManager.default.currentDirectoryPath
        #expect(try text("a/Package.swift").contains("path: \"\(working)/relative\""))
        let repository = "https://git.example.org/tools/Runner-Kit.git"
        #expect(new("b", "--language", "swift", "--package", repository).status == .done)
        let manifest = try text("b/Package.swift")
        #expect(manifest.contains(".package(url: \"\(repository)\", branch: \"main\")"))
        #expect(manifest.contains("package: \"Runner-Kit\""))
        let session = new("c", "--language", "swift")
        #expect(session.status == .usage)
        #expect(session.errors.contains("name its folder or git repository with --package."))
        #expect(!FileManager.default.fileExists(atPath: "\(folder)/c"))

        let around = { PackageSource.checkout(around: $0, isPackage: { $0 == "/opt/runner" }) }
        #expect(around("/opt/runner/.build/debug") == .folder("/opt/runner"))
        #expect(around("/usr/bin") == nil)
        #expect(around(nil) == nil)
    }

    @Test("what is there already is never touched", arguments: ["python", "shell", "swift"])
    func overwriting(language: String) throws {
        let made = language == "swift" ? "mail" : "mail.plugin"
        try Data("mine".utf8).write(to: URL(filePath: "\(folder)/\(made)"))
        let session = new("mail", "--language", language, "--package", "/opt/runner")
        #expect(session.status == .unsuccessful)
        #expect(
            session.errors
                == "runnerctl: \(folder)/\(made) is there already; remove it first, or choose another NAME.\n")
        #expect(try text(made) == "mine")
        #expect(session.output.isEmpty)
    }

    @Test(
        "a name that cannot name files is refused",
        arguments: [
            "", "1mail", "-mail", "a/b", "../a", "a b", "a.b", "mäil", "a\nb", String(repeating: "a", count: 65),
        ])
    func names(name: String) throws {
        let session = Session(["plugin", "new", "--language", "shell", "--directory", folder, "--", name])
        #expect(session.status == .usage)
        #expect(session.errors.contains("NAME must be letters, digits, - and _"), "\(session.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }

    @Test("the longest name is fine, and a bundle's whole name leads to the right one")
    func longName() throws {
        #expect(new(String(repeating: "a", count: 64), "--language", "shell").status == .done)
        #expect(new("mail.plugin", "--language", "shell").errors.contains("Did you mean “mail”?"))
    }

    @Test("a language must be one of the three")
    func languages() {
        let missing = new("mail")
        #expect(missing.status == .usage)
        #expect(missing.errors.contains("--language is missing; write one of swift, python, shell after it."))
        let unknown = new("mail", "--language", "pyhton")
        #expect(unknown.status == .usage)
        #expect(unknown.errors.contains("--language must be one of swift, python, shell, not “pyhton”."))
        #expect(unknown.errors.contains("Did you mean “python”?"))
    }

    @Test("an identifier can be given, and must be one (B1)")
    func identifiers() throws {
        #expect(new("mail", "--language", "shell", "--identifier", "org.example.post").status == .done)
        #expect(try text("mail.plugin/Info.json").contains("\"org.example.post.refresh\": { \"command\""))
        let bad = new("post", "--language", "shell", "--identifier", "org..post")
        #expect(bad.status == .usage)
        #expect(bad.errors.contains("“org..post” is not an app identifier"))
        // With the task's own part it would be too long.
        #expect(new("post", "--language", "shell", "--identifier", String(repeating: "a", count: 121)).status == .usage)
        #expect(new("post", "--language", "shell", "--identifier", String(repeating: "a", count: 120)).status == .done)
    }

    @Test("a folder that is not there is not made")
    func missingFolder() {
        let session = Session(["plugin", "new", "mail", "--language", "shell", "--directory", "\(folder)/no"])
        #expect(session.status == .unsuccessful)
        #expect(session.errors.contains("There is no folder \(folder)/no; make it first"))
    }

    @Test("scripts get the result as JSON")
    func json() {
        let session = new("mail", "--language", "shell", "--json")
        let bundle = "\(folder)/mail.plugin"
        #expect(
            session.output == """
                {"app":"com.example.mail","task":"com.example.mail.refresh","bundle":"\(bundle)",\
                "files":["\(bundle)/Info.json","\(bundle)/bin/refresh"]}

                """)
    }

    @Test("a new Python bundle speaks the protocol as the example does")
    func example() throws {
        #expect(new("mail", "--language", "python").status == .done)
        let made = try text("mail.plugin/bin/plugin")
        let path = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let example = String(
            decoding: try Data(contentsOf: URL(filePath: "/\(path)/examples/plugin-python/python.plugin/bin/plugin")),
            as: UTF8.self
        ).replacing("plugin-python", with: "python").replacing("import datetime, ", with: "import ")
        #expect(Self.protocolParts(of: example).count > 50)
        #expect(Self.protocolParts(of: made) == Self.protocolParts(of: example))
    }

    /// What stands before the handlers, and after them.
    private static func protocolParts(of program: String) -> [Substring] {
        let lines = program.split(separator: "\n", omittingEmptySubsequences: false)
        guard let handlers = lines.firstIndex(of: "def refresh(task):"),
            let main = lines.firstIndex(where: { $0.hasPrefix("if \"RUNNER_PLUGIN_FD\"") })
        else { return [] }
        return Array(lines[..<handlers] + lines[main...])
    }
}
