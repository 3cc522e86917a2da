import FoundationEssentials
import Glibc
import Testing

@testable import Plugins

/// Something done to a good bundle that lets another user write into it.
struct Opening: Sendable, CustomTestStringConvertible {
    var name: String
    /// The file that the problem names, relative to the plugin folder; a link is named by its own path.
    var file: String
    var fix: String
    var problem = ManifestProblem.Name.untrusted
    var open: @Sendable (TemporaryBundle) throws -> Void

    var testDescription: String { name }
}

/// Needs root, because only root can give files away.
@Suite("Files that another user could have written", .enabled(if: geteuid() == 0))
struct BundleTrustTests {
    private static let stranger: uid_t = 12_345

    private static func loader(_ bundle: TemporaryBundle, trust: Bool = false) -> BundleLoader {
        BundleLoader(folders: [bundle.plugins], trust: trust, daemonUser: 0)
    }

    private static func bundle() throws -> TemporaryBundle {
        let bundle = try TemporaryBundle()
        let task = #"{"com.example.mail.refresh": {"command": ["bin/refresh", "data/script", "--all"]}}"#
        try bundle.write("Info.json", manifestText(["RunnerTasks": task]))
        try bundle.write("Info.settings.json", "{}")
        try bundle.write("data/script", "")
        return bundle
    }

    /// A bundle whose plugin is an interpreter that is given a script.
    private static func plugin() throws -> TemporaryBundle {
        let bundle = try bundle()
        let program = #"{"executable": "bin/refresh", "arguments": ["data/script", "--all"]}"#
        try bundle.write("Info.json", manifestText(["RunnerTasks": "", "RunnerPlugin": program]))
        return bundle
    }

    @Test("a script that the arguments of a plugin name is refused when everyone may write to it")
    func scriptOfPlugin() throws {
        let bundle = try Self.plugin()
        #expect(Self.loader(bundle).load().refused.isEmpty)
        try #require(chmod("\(bundle.folder)/data/script", 0o666) == 0)
        let problem = try #require(Self.loader(bundle).load().refused.first?.problems.first)
        #expect(problem.name == .untrusted)
        #expect(problem.file == "\(bundle.folder)/data/script")
        #expect(problem.fix.contains("chmod o-w"))
    }

    @Test("a file outside to which a link among the arguments leads is refused when everyone may write to it")
    func linkOfPlugin() throws {
        let bundle = try Self.plugin()
        let outside = try TemporaryBundle()
        try #require(unlink("\(bundle.folder)/data/script") == 0)
        try #require(symlink("\(outside.folder)/notes.txt", "\(bundle.folder)/data/script") == 0)
        #expect(Self.loader(bundle).load().problems == [])
        try #require(chmod("\(outside.folder)/notes.txt", 0o666) == 0)
        let problem = try #require(Self.loader(bundle).load().refused.first?.problems.first)
        #expect(problem.name == .untrusted)
        #expect(problem.message == "Everyone may write to this file.")
        #expect(problem.file == "\(bundle.folder)/data/script")
    }

    private static func mode(_ name: String, _ file: String, _ mode: mode_t, fix: String) -> Opening {
        Opening(name: name, file: file, fix: fix) { bundle in
            try #require(chmod("\(bundle.plugins)/\(file)", mode) == 0)
        }
    }

    static let openings: [Opening] = [
        mode("the bundle is writable by everyone", "mail.plugin", 0o757, fix: "chmod o-w"),
        mode("the manifest is writable by everyone", "mail.plugin/Info.json", 0o666, fix: "chmod o-w"),
        mode("the settings are writable by everyone", "mail.plugin/Info.settings.json", 0o646, fix: "chmod o-w"),
        mode("the program is writable by everyone", "mail.plugin/bin/refresh", 0o777, fix: "chmod o-w"),
        mode("the program's folder is writable by everyone", "mail.plugin/bin", 0o777, fix: "chmod o-w"),
        mode(
            "a script that the command names is writable by everyone", "mail.plugin/data/script", 0o666,
            fix: "chmod o-w"),
        mode("the plugin folder is writable by everyone", "", 0o777, fix: "chmod o-w"),
        Opening(name: "the manifest is writable by a foreign group", file: "mail.plugin/Info.json", fix: "chmod g-w") {
            try #require(chown("\($0.folder)/Info.json", 0, 12_345) == 0)
            try #require(chmod("\($0.folder)/Info.json", 0o664) == 0)
        },
        Opening(name: "the program belongs to a stranger", file: "mail.plugin/bin/refresh", fix: "chown root") {
            try #require(chown("\($0.folder)/bin/refresh", stranger, 0) == 0)
        },
        Opening(name: "the bundle belongs to a stranger", file: "mail.plugin", fix: "chown root") {
            try #require(chown($0.folder, stranger, 0) == 0)
        },
        Opening(
            name: "the program is a link out of the bundle", file: "mail.plugin/bin/refresh", fix: "into the bundle",
            problem: .leavesBundle
        ) {
            try #require(unlink("\($0.folder)/bin/refresh") == 0)
            try #require(symlink("/bin/sh", "\($0.folder)/bin/refresh") == 0)
        },
        Opening(
            name: "the manifest is a link out of the bundle", file: "mail.plugin/Info.json", fix: "into the bundle",
            problem: .leavesBundle
        ) {
            try #require(rename("\($0.folder)/Info.json", "\($0.plugins)/elsewhere.json") == 0)
            try #require(symlink("\($0.plugins)/elsewhere.json", "\($0.folder)/Info.json") == 0)
        },
    ]

    @Test("a bundle that only its owner and root can write is loaded without a word")
    func closed() throws {
        let bundle = try Self.bundle()
        let result = Self.loader(bundle).load()
        #expect(result.problems == [])
        #expect(result.bundles.count == 1)
    }

    @Test("are refused, and with trust accepted with a warning", arguments: openings)
    func refused(opening: Opening) throws {
        let bundle = try Self.bundle()
        try opening.open(bundle)
        let refused = try #require(Self.loader(bundle).load().refused.first)
        let problem = try #require(refused.problems.first { $0.name == opening.problem }, "\(refused.problems)")
        let file = opening.file.isEmpty ? bundle.plugins : "\(bundle.plugins)/\(opening.file)"
        #expect(problem.file == file)
        #expect(problem.severity == .error)
        #expect(problem.fix.contains(opening.fix))
        #expect(problem.fix.contains("--trust-bundles"))

        let trusted = Self.loader(bundle, trust: true).load()
        #expect(trusted.refused == [])
        let warning = try #require(trusted.bundles.first?.problems.first)
        #expect(warning.name == opening.problem)
        #expect(warning.severity == .warning)
        #expect(warning.file == file)
        #expect(!warning.fix.contains("--trust-bundles"))
    }

    @Test("an untrusted manifest is not even parsed")
    func notParsed() throws {
        let bundle = try Self.bundle()
        try bundle.write("Info.json", "{", mode: 0o666)
        #expect(Self.loader(bundle).load().refused.first?.problems.map(\.name) == [.untrusted])
    }

    @Test("what root or the owner alone may write is accepted: the owner's own group, links within, a sticky folder")
    func accepted() throws {
        let bundle = try Self.bundle()
        try #require(chmod("\(bundle.folder)/Info.json", 0o664) == 0)
        try #require(rename("\(bundle.folder)/bin/refresh", "\(bundle.folder)/bin/real") == 0)
        try #require(symlink("real", "\(bundle.folder)/bin/refresh") == 0)
        try #require(chmod(bundle.plugins, 0o1777) == 0)
        let result = Self.loader(bundle).load()
        #expect(result.problems == [])
        // The link stays a link in the command.
        #expect(result.bundles.first?.commands.first?.executable == "\(bundle.folder)/bin/refresh")
    }

    @Test("files of the runner's own user are accepted by it, and not by another's runner")
    func ownUser() throws {
        let bundle = try Self.bundle()
        for path in ["", "/bin", "/bin/refresh", "/data", "/data/script", "/Info.json", "/Info.settings.json"] {
            try #require(chown(bundle.folder + path, Self.stranger, 0) == 0)
        }
        let own = BundleLoader(folders: [bundle.plugins], daemonUser: Self.stranger).load()
        #expect(own.problems == [])
        #expect(own.bundles.count == 1)
        let other = BundleLoader(folders: [bundle.plugins], daemonUser: 54_321).load()
        #expect(other.bundles == [])
    }

    @Test("a program outside of the bundle must not be writable by everyone")
    func foreignProgram() throws {
        let bundle = try Self.bundle()
        let program = "\(bundle.plugins)/tool"
        try Data("#!/bin/sh\n".utf8).write(to: URL(filePath: program))
        let task = #"{"com.example.mail.refresh": {"command": ["\#(program)"]}}"#
        try bundle.write("Info.json", manifestText(["RunnerTasks": task]))
        try #require(chmod(program, 0o755) == 0)
        #expect(Self.loader(bundle).load().bundles.count == 1)
        try #require(chmod(program, 0o757) == 0)
        #expect(Self.loader(bundle).load().refused.first?.problems.map(\.file) == [program])
    }

    @Test("a bundle may be a link to a folder elsewhere, which is what is examined")
    func linkedBundle() throws {
        let bundle = try Self.bundle()
        let elsewhere = try TemporaryBundle("real")
        try elsewhere.write("Info.json", manifestText(["CFBundleIdentifier": #""com.example.linked""#]))
        try FileManager.default.removeItem(atPath: "\(bundle.folder)/Info.json")
        try #require(symlink(elsewhere.folder, "\(bundle.plugins)/linked.plugin") == 0)
        let loaded = try #require(Self.loader(bundle).load().bundles.first)
        #expect(loaded.path == "\(bundle.plugins)/linked.plugin")
        #expect(loaded.folder == elsewhere.folder)
        try #require(chmod(elsewhere.folder, 0o777) == 0)
        #expect(Self.loader(bundle).load().bundles == [])
    }

    @Test(
        "of a bundle that is a link to nothing it is said that it is not there", arguments: ["nothing", "lost.plugin"])
    func danglingBundle(target: String) throws {
        let bundle = try Self.bundle()
        try #require(symlink(target, "\(bundle.plugins)/lost.plugin") == 0)
        let problems = Self.loader(bundle).load().refused.flatMap(\.problems)
        #expect(problems.map(\.name) == [.unreadable], "\(problems)")
    }
}
