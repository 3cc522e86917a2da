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
