import FoundationEssentials
import Glibc
import Scheduling
import Testing

@testable import Plugins

@Suite("Loading bundles")
struct BundleLoaderTests {
    private static func loader(_ bundle: TemporaryBundle, trust: Bool = false, user: UInt32? = nil) -> BundleLoader {
        BundleLoader(folders: [bundle.plugins], trust: trust, daemonUser: user ?? geteuid())
    }

    private static func appManifest(app: String, permitted: [String], task: String) -> String {
        manifestText([
            "CFBundleIdentifier": "\"\(app)\"",
            "BGTaskSchedulerPermittedIdentifiers": "[" + permitted.map { "\"\($0)\"" }.joined(separator: ", ") + "]",
            "RunnerTasks": #"{"\#(task)": {"command": ["bin/refresh"]}}"#,
        ])
    }

    @Test("bundles are loaded in the order of folders and names, and a bad one stops no other")
    func order() throws {
        let first = try TemporaryBundle("zoo.plugin")
        let second = try TemporaryBundle("bad.plugin", in: first.plugins)
        let other = try TemporaryBundle("aaa.plugin")
        try first.write("Info.json", Self.appManifest(app: "com.example.zoo", permitted: ["zoo.a"], task: "zoo.a"))
        try second.write("Info.json", "{")
        try other.write("Info.json", Self.appManifest(app: "com.example.aaa", permitted: ["aaa.a"], task: "aaa.a"))
        for ignored in [".hidden.plugin", "notes"] {
            try FileManager.default.createDirectory(
                atPath: "\(first.plugins)/\(ignored)", withIntermediateDirectories: false)
        }

        let loader = BundleLoader(
            folders: [first.plugins, "/nowhere/plugins", other.plugins, first.plugins], daemonUser: geteuid())
        let result = loader.load()
        #expect(result.bundles.map(\.app.text) == ["com.example.zoo", "com.example.aaa"])
        #expect(result.bundles.map(\.path) == [first.folder, other.folder])
        #expect(result.refused.map(\.path) == [second.folder])
        #expect(result.refused.first?.problems.map(\.name) == [.syntax])
        #expect(result.folderProblems.map(\.name) == [.missingFolder])
        #expect(result.folderProblems.map(\.severity) == [.warning])
        #expect(result.problems.count == 2)
        #expect(result.bundles.first?.appDescription.host == .commands)
        #expect(result.bundles.first?.commands.count == 1)
    }

    @Test("the bundle that comes first keeps its identifiers, and the error names both (B3)")
    func ownership() throws {
        let first = try TemporaryBundle("a.plugin")
        let exact = try TemporaryBundle("b.plugin", in: first.plugins)
        let sameApp = try TemporaryBundle("c.plugin", in: first.plugins)
        let afterRefused = try TemporaryBundle("d.plugin", in: first.plugins)
        let wildcard = try TemporaryBundle("e.plugin", in: first.plugins)
        let samePattern = try TemporaryBundle("f.plugin", in: first.plugins)
        try first.write(
            "Info.json", Self.appManifest(app: "org.a", permitted: ["org.shared", "org.a.x.*"], task: "org.shared"))
        try exact.write(
            "Info.json", Self.appManifest(app: "org.b", permitted: ["org.b.own", "org.shared"], task: "org.b.own"))
        try sameApp.write("Info.json", Self.appManifest(app: "org.a", permitted: ["org.other"], task: "org.other"))
        // What a refused bundle wanted is free.
        try afterRefused.write("Info.json", Self.appManifest(app: "org.d", permitted: ["org.b.own"], task: "org.b.own"))
        // A longer prefix and an exact entry below a pattern of another app are no conflict.
        try wildcard.write(
            "Info.json", Self.appManifest(app: "org.a.x", permitted: ["org.a.x.y.*", "org.a.x.z"], task: "org.a.x.z"))
        try samePattern.write("Info.json", Self.appManifest(app: "org", permitted: ["org.a.x.*"], task: "org.a.x.q"))

        let result = Self.loader(first).load()
        #expect(result.bundles.map(\.app.text) == ["org.a", "org.d", "org.a.x"])
        try #require(result.refused.map(\.app?.text) == ["org.b", "org.a", "org"])
        let conflict = try #require(result.refused.first?.problems.first)
        #expect(conflict.name == .alreadyOwned)
        #expect(conflict.key == "BGTaskSchedulerPermittedIdentifiers[1]")
        #expect(conflict.message.contains("org.a in \(first.folder)"))
        #expect(conflict.message.contains("org.b cannot"))
        #expect(result.refused[1].problems.first?.key == "CFBundleIdentifier")
        #expect(result.refused[1].problems.first?.message.contains(first.folder) == true)
    }

    @Test("the hash changes with the manifest, the values and the files that run, and with nothing else")
    func hash() throws {
        let bundle = try TemporaryBundle()
        try bundle.write(
            "Info.json",
            manifestText([
                "RunnerTasks": #"{"com.example.mail.refresh": {"command": ["bin/refresh", "data/script"]}}"#
            ]))
        try bundle.write("data/script", "one")
        func hash() throws -> String { try #require(Self.loader(bundle).load().bundles.first).bundleHash }
        var seen = [try hash()]
        #expect(seen[0].count == 16)
        #expect(try hash() == seen[0])
        try bundle.write("notes.txt", "another text")
        #expect(try hash() == seen[0])
        for (file, text, mode) in [
            ("bin/refresh", "#!/bin/sh\nexit 1\n", 0o755), ("data/script", "two, longer", 0o644),
            ("Info.settings.json", #"{"A": "1"}"#, 0o644), ("Info.settings.json", #"{"A": "2"}"#, 0o644),
        ] as [(String, String, mode_t)] {
            try bundle.write(file, text, mode: mode)
            let now = try hash()
            #expect(!seen.contains(now), "\(file)")
            seen.append(now)
        }
        // The same size at another time.
        var times = [timespec(tv_sec: 1_000, tv_nsec: 0), timespec(tv_sec: 1_000, tv_nsec: 0)]
        #expect(utimensat(AT_FDCWD, "\(bundle.folder)/bin/refresh", &times, 0) == 0)
        #expect(!seen.contains(try hash()))
    }

    @Test("the hash of a plugin changes with the files of its bundle that its arguments name")
    func hashOfArguments() throws {
        let bundle = try TemporaryBundle()
        try bundle.write(
            "Info.json",
            manifestText([
                "RunnerTasks": "",
                "RunnerPlugin": #"{"executable": "bin/refresh", "arguments": ["-u", "data/plugin.py", "notes"]}"#,
            ]))
        try bundle.write("data/plugin.py", "one")
        func hash() throws -> String { try #require(Self.loader(bundle).load().bundles.first).bundleHash }
        let first = try hash()
        try bundle.write("notes.txt", "another text")
        #expect(try hash() == first)
        try bundle.write("data/plugin.py", "two, longer")
        let second = try hash()
        #expect(second != first)
        try bundle.write("notes", "a file of that name")
        #expect(try hash() != second)
    }

    @Test("the hash of a plugin changes with the file outside to which a link among its arguments leads")
    func hashOfLinkedArgument() throws {
        let bundle = try TemporaryBundle()
        let program = #"{"executable": "bin/refresh", "arguments": ["data/settings", "--file=data/settings"]}"#
        try bundle.write("Info.json", manifestText(["RunnerTasks": "", "RunnerPlugin": program]))
        let outside = try TemporaryBundle()
        try #require(symlink("\(outside.folder)/notes.txt", "\(bundle.folder)/data/settings") == 0)
        func hash() throws -> String { try #require(Self.loader(bundle).load().bundles.first).bundleHash }
        let first = try hash()
        #expect(try hash() == first)
        try outside.write("notes.txt", "another text")
        #expect(try hash() != first)
    }

    @Test("a user that does not exist refuses the bundle")
    func unknownUser() throws {
        let bundle = try TemporaryBundle()
        let task = #"{"com.example.mail.refresh": {"command": ["bin/refresh"], "user": "no-such-user-here"}}"#
        try bundle.write("Info.json", manifestText(["RunnerTasks": task]))
        let problem = try #require(Self.loader(bundle).load().refused.first?.problems.first)
        #expect(problem.name == .userUnavailable)
        #expect(problem.key == "RunnerTasks.com.example.mail.refresh.user")
    }

    @Test("only root runs tasks as somebody else", .enabled(if: geteuid() == 0))
    func foreignUser() throws {
        let bundle = try TemporaryBundle()
        let task = #"{"com.example.mail.refresh": {"command": ["bin/refresh"], "user": "daemon"}}"#
        try bundle.write("Info.json", manifestText(["RunnerTasks": task]))
        #expect(Self.loader(bundle, user: 0).load().bundles.first?.commands.first?.user == "daemon")
        let refused = try #require(Self.loader(bundle, user: 12_345).load().refused.first)
        #expect(refused.problems.map(\.name) == [.userUnavailable])
    }

    @Test("a plugin's user has the rules of a command's", arguments: ["no-such-user-here", "daemon"])
    func pluginUser(name: String) throws {
        let bundle = try TemporaryBundle()
        let plugin = #"{"executable": "bin/refresh", "user": "\#(name)"}"#
        try bundle.write("Info.json", manifestText(["RunnerTasks": "", "RunnerPlugin": plugin]))
        let refused = try #require(Self.loader(bundle, user: 12_345).load().refused.first?.problems.first)
        #expect(refused.name == .userUnavailable)
        #expect(refused.key == "RunnerPlugin.user")
        #expect(refused.message.contains(name == "daemon" ? "can run a plugin as daemon" : "There is no user"))
        guard name == "daemon", geteuid() == 0 else { return }
        #expect(Self.loader(bundle, user: 0).load().bundles.first?.manifest.programUser == "daemon")
    }

    @Test("the limit of processes needs a user for the plugin and for every command", arguments: [true, false])
    func processLimit(everybodyHasOne: Bool) throws {
        let bundle = try TemporaryBundle()
        let command = #""command": ["bin/refresh"]"# + (everybodyHasOne ? #", "user": "daemon""# : "")
        try bundle.write(
            "Info.json",
            manifestText([
                "RunnerLimits": #"{"processes": 4}"#,
                "RunnerPlugin": #"{"executable": "bin/refresh", "user": "daemon"}"#,
                "RunnerTasks": #"{"com.example.mail.refresh": {\#(command)}}"#,
            ]))
        let errors = bundle.read().problems.filter { $0.severity == .error }
        #expect(errors.map(\.key) == (everybodyHasOne ? [] : ["RunnerLimits.processes"]))
    }

    @Test("a library that cannot be loaded refuses the bundle, with the file, the key and the fix")
    func library() throws {
        let bundle = try TemporaryBundle()
        try bundle.write(
            "Info.json", manifestText(["RunnerTasks": "", "RunnerPlugin": #"{"library": "libMail.so"}"#]))
        let problems = try #require(Self.loader(bundle).load().refused.first).problems
        try #require(problems.map(\.name) == [.notLoadable])
        #expect(problems[0].severity == .error)
        #expect(problems[0].file == "\(bundle.folder)/Info.json")
        #expect(problems[0].key == "RunnerPlugin.library")
        #expect(problems[0].message == "\(bundle.folder)/libMail.so is no ELF file.")
        #expect(problems[0].fix == "Name a shared library, such as a linker makes with -shared.")
    }

    @Test("a library that another user could have written is not even read")
    func untrustedLibrary() throws {
        let bundle = try TemporaryBundle()
        try bundle.write(
            "Info.json", manifestText(["RunnerTasks": "", "RunnerPlugin": #"{"library": "libMail.so"}"#]))
        try bundle.write("libMail.so", "library", mode: 0o666)
        #expect(Self.loader(bundle).load().refused.first?.problems.map(\.name) == [.untrusted])
        let trusted = Self.loader(bundle, trust: true).load().refused.first?.problems
        #expect(trusted?.map(\.name) == [.untrusted, .notLoadable])
    }

    @Test("one bundle is examined by its folder or its manifest")
    func examination() throws {
        let bundle = try TemporaryBundle()
        try bundle.write("Info.json", manifestText([:]))
        for path in [bundle.folder, bundle.folder + "/", "\(bundle.folder)/Info.json"] {
            guard case .success(let loaded) = Self.loader(bundle).examine(bundle: path) else {
                Issue.record("\(path) was refused")
                continue
            }
            #expect(loaded.folder == bundle.folder)
        }
    }
}
