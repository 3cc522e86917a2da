import FoundationEssentials
import Testing

@testable import RunnerControl

struct ManifestCheckTests: ~Copyable {
    private let folder: String

    init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/runner-check-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func bundle(_ name: String, _ manifest: String) throws -> String {
        let path = "\(folder)/\(name)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try Data(manifest.utf8).write(to: URL(filePath: path + "/Info.json"))
        return path
    }

    private func manifest(app: String = "com.example", kindKey: String = "kind") -> String {
        """
        {"CFBundleIdentifier": "\(app)", "BGTaskSchedulerPermittedIdentifiers": ["com.example.a"],
         "UIBackgroundModes": ["processing"],
         "RunnerTasks": {"com.example.a": {"command": ["/bin/true"], "\(kindKey)": "processing"}}}
        """
    }

    @Test("a good bundle is the status 0, and needs no daemon")
    func goodBundle() throws {
        let session = Session(["manifest", "check", try bundle("a.plugin", manifest())])
        #expect(session.status == .done, "\(session.output)")
        #expect(session.output.contains("nothing is wrong (com.example)"))
        #expect(session.tried.isEmpty)
    }

    @Test("a mistake is the status 1, with the file, the key and the fix")
    func badBundle() throws {
        let path = try bundle("a.plugin", manifest(kindKey: "knid"))
        let session = Session(["manifest", "check", path])
        #expect(session.status == .unsuccessful)
        for part in ["Info.json", "RunnerTasks.com.example.a.knid", "fix: ", "1 error, 2 warnings"] {
            #expect(session.output.contains(part), "\(part)")
        }
        let json = Session(["manifest", "check", path, "--json"])
        #expect(json.status == .unsuccessful)
        #expect(json.output.hasPrefix(#"{"apps":[],"problems":[{"severity":"error","name":"unknownKey","file":""#))
    }

    @Test("a folder of bundles is checked as a daemon would load it")
    func folderOfBundles() throws {
        _ = try bundle("a.plugin", manifest())
        _ = try bundle("b.plugin", manifest())
        let session = Session(["manifest", "check", folder])
        #expect(session.status == .unsuccessful)
        #expect(session.output.contains("com.example"))
    }

    @Test("a file alone can be checked, and so can the manifest of a program that embeds the runner")
    func files() throws {
        let path = try bundle("a.plugin", manifest())
        #expect(Session(["manifest", "check", path + "/Info.json"]).status == .done)
        let embedded = try bundle(
            "app", #"{"CFBundleIdentifier": "com.example", "BGTaskSchedulerPermittedIdentifiers": ["com.example.a"]}"#)
        #expect(Session(["manifest", "check", embedded + "/Info.json"]).status == .unsuccessful)
        #expect(Session(["manifest", "check", embedded + "/Info.json", "--embedded"]).status == .done)
    }

    @Test("a library that cannot be loaded is an error, whether the bundle or its manifest is named")
    func library() throws {
        let path = try bundle(
            "a.plugin",
            """
            {"CFBundleIdentifier": "com.example", "BGTaskSchedulerPermittedIdentifiers": ["com.example.a"],
             "UIBackgroundModes": ["processing"], "RunnerPlugin": {"library": "libMail.so"}}
            """)
        try Data("text".utf8).write(to: URL(filePath: path + "/libMail.so"))
        for named in [path, path + "/Info.json"] {
            let session = Session(["manifest", "check", named])
            #expect(session.status == .unsuccessful)
            for part in [
                "Info.json: error: RunnerPlugin.library: ", "libMail.so is no ELF file.\n  fix: Name a shared library",
                "1 error, 0 warnings",
            ] {
                #expect(session.output.contains(part), "\(part)")
            }
        }
    }

    @Test("a program must be there, be executable and be in the bundle")
    func program() throws {
        func session(_ program: String) throws -> Session {
            let path = try bundle(
                "a.plugin",
                """
                {"CFBundleIdentifier": "com.example", "BGTaskSchedulerPermittedIdentifiers": ["com.example.a"],
                 "UIBackgroundModes": ["processing"], "RunnerPlugin": {"executable": "\(program)"}}
                """)
            return Session(["manifest", "check", path])
        }
        #expect(try session("plugin").output.contains("RunnerPlugin.executable: There is no file"))
        try Data("#!".utf8).write(to: URL(filePath: "\(folder)/a.plugin/plugin"))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: "\(folder)/a.plugin/plugin")
        #expect(try session("plugin").output.contains("is not executable.\n  fix: Run chmod +x"))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder)/a.plugin/plugin")
        #expect(try session("plugin").status == .done)
        #expect(try session("../plugin").output.contains("leads out of the bundle."))
        #expect(try session("/bin/true").output.contains("is not in the bundle."))
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder)/a.plugin/link", withDestinationPath: "/bin/true")
        #expect(try session("link").output.contains("This is a link out of the bundle, to "))
        #expect(try session("link").status == .unsuccessful)
    }

    @Test("names can be given on the command line")
    func definitions() throws {
        let path = try bundle("a.plugin", manifest(app: "$(NAME)"))
        #expect(Session(["manifest", "check", path]).status == .unsuccessful)
        #expect(Session(["manifest", "check", path, "--define", "NAME=com.example"]).status == .done)
        #expect(Session(["manifest", "check", path, "--define", "NAME"]).status == .usage)
    }

    @Test("a path that is not there is an error of the manifest, not of the command line")
    func missing() {
        #expect(Session(["manifest", "check", "/nowhere.plugin"]).status == .unsuccessful)
    }
}
