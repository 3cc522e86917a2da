import FoundationEssentials
import Scheduling
import Testing

@testable import Plugins

@Suite("The files of a manifest")
struct ManifestFormatTests {
    static let head = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">

        """

    static let json = #"""
        // Mail, as JSON.
        {
          "CFBundleIdentifier": "com.example.mail", // https://example.com stays in strings
          "BGTaskSchedulerPermittedIdentifiers": ["com.example.mail.refresh", "com.example.mail.export.*"],
          "UIBackgroundModes": ["fetch", "processing", "audio"],
          "RunnerTasks": {
            "com.example.mail.refresh": {
              "command": ["bin/refresh", "--url", "https://example.com/?a=1&b=2"], "kind": "appRefresh",
              "every": "15m", "retry": true, "budget": "20s", "grace": "500ms", "requiresNetworkConnectivity": true,
              "requiresExternalPower": false, "environment": {"MODE": "<fast>"}, "workingDirectory": "data"
            },
            "com.example.mail.export.all": {"kind": "processing", "command": ["sh", "-c", "true"], "user": "root"}
          },
          "RunnerLimits": {"memory": "256M", "cpuSeconds": 60, "openFiles": 64, "pendingRefresh": 3},
          "RunnerIsolation": "process"
        }
        """#

    static let xml =
        head + """
            <dict>
              <!-- Mail, as a property list. -->
              <key>CFBundleIdentifier</key><string>com.example.mail</string>
              <key>BGTaskSchedulerPermittedIdentifiers</key>
              <array><string>com.example.mail.refresh</string><string>com.example.mail.export.*</string></array>
              <key>UIBackgroundModes</key>
              <array><string>fetch</string><string>processing</string><string>audio</string></array>
              <key>RunnerTasks</key>
              <dict>
                <key>com.example.mail.refresh</key>
                <dict>
                  <key>command</key>
                  <array>
                    <string>bin/refresh</string><string>--url</string>
                    <string>https://example.com/?a=1&amp;b=2</string>
                  </array>
                  <key>kind</key><string>appRefresh</string>
                  <key>every</key><string>15m</string>
                  <key>retry</key><true/>
                  <key>budget</key><string>20s</string>
                  <key>grace</key><string>500ms</string>
                  <key>requiresNetworkConnectivity</key><true/>
                  <key>requiresExternalPower</key><false/>
                  <key>environment</key><dict><key>MODE</key><string>&lt;fast&gt;</string></dict>
                  <key>workingDirectory</key><string>data</string>
                </dict>
                <key>com.example.mail.export.all</key>
                <dict>
                  <key>kind</key><string>processing</string>
                  <key>command</key><array><string>sh</string><string>-c</string><string>true</string></array>
                  <key>user</key><string>root</string>
                </dict>
              </dict>
              <key>RunnerLimits</key>
              <dict>
                <key>memory</key><string>256M</string>
                <key>cpuSeconds</key><integer>60</integer>
                <key>openFiles</key><integer>64</integer>
                <key>pendingRefresh</key><integer>3</integer>
              </dict>
              <key>RunnerIsolation</key><string>process</string>
            </dict>
            </plist>
            """

    @Test("a manifest says the same as XML, as a binary property list and as JSON")
    func equivalence() throws {
        let members = try ManifestFile.parse(Array(Self.xml.utf8), path: "Info.plist")
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        let binary = [UInt8](try encoder.encode(EncodableValue(value: .dictionary(members))))
        #expect(binary.starts(with: Array("bplist".utf8)))

        let bundle = try TemporaryBundle()
        var manifests: [Manifest] = []
        for (name, bytes) in [
            ("Info.json", Array(Self.json.utf8)), ("Info.plist", Array(Self.xml.utf8)), ("Info.plist", binary),
        ] {
            try bundle.write(name, bytes)
            let reading = bundle.read()
            #expect(reading.problems == [])
            manifests.append(try #require(reading.manifest))
            try FileManager.default.removeItem(atPath: "\(bundle.folder)/\(name)")
        }
        #expect(manifests[0] == manifests[1])
        #expect(manifests[1] == manifests[2])
    }

    @Test("every key arrives where it is used")
    func everyKey() throws {
        let bundle = try TemporaryBundle()
        try bundle.write("Info.json", Self.json)
        let manifest = try #require(bundle.read().manifest)
        let description = manifest.appDescription(host: .commands, bundleHash: "1")

        let refresh = try TaskIdentifier("com.example.mail.refresh")
        let export = try TaskIdentifier("com.example.mail.export.all")
        let refreshSettings = TaskSettings(
            identifier: refresh, kind: .appRefresh, every: .minutes(15), retriesFailures: true, budget: .seconds(20),
            grace: .milliseconds(500), requiresNetworkConnectivity: true, hasCommand: true)
        let exportSettings = TaskSettings(identifier: export, kind: .processing, hasCommand: true)
        var expected = AppDescription(
            app: try AppIdentifier("com.example.mail"), host: .commands,
            permitted: [.exact(refresh), .prefix("com.example.mail.export.")], modes: [.fetch, .processing],
            tasks: [exportSettings, refreshSettings], bundleHash: "1")
        expected.pendingRefreshLimit = 3
        #expect(description == expected)

        #expect(manifest.limits.memoryBytes == 256 << 20)
        #expect(manifest.limits.cpuSeconds == 60)
        #expect(manifest.limits.openFiles == 64)
        #expect(manifest.limits.processes == nil)
        let commands = manifest.commands
        #expect(commands.map(\.identifier) == [export, refresh])
        #expect(commands[0].executable.hasSuffix("/bin/sh"))
        #expect(commands[0].command == ["sh", "-c", "true"])
        #expect(commands[0].user == "root")
        #expect(commands[0].workingDirectory == bundle.folder)
        #expect(
            commands[1]
                == CommandTask(
                    identifier: refresh, executable: "\(bundle.folder)/bin/refresh",
                    command: ["bin/refresh", "--url", "https://example.com/?a=1&b=2"],
                    environment: ["MODE": "<fast>"], workingDirectory: "\(bundle.folder)/data",
                    settings: refreshSettings))
    }

    @Test(
        "a broken property list is refused with the line",
        arguments: [
            ("<dict>\n<key>a</key>\n<intger>1</intger>\n</dict></plist>", 6, "no element <intger>"),
            ("<dict>\n<key>a</key>\n<string>x</string>\n<key>b</key>\n</dict></plist>", 8, "“b” has no value"),
            ("<dict>\n<key>a</key><key>b</key><true/></dict></plist>", 5, "“a” has no value"),
            ("<dict>\n<string>x</string></dict></plist>", 5, "no key before it"),
            ("<dict>\n<key>a</key><true/>\n<key>a</key><true/></dict></plist>", 6, "“a” is there twice"),
            ("<dict>\n<key>a</key><string>x & y</string></dict></plist>", 5, "&amp;"),
            ("<dict>\n<key>a</key>\n\n<string>x", 7, "<string> from line 7 is not closed"),
            ("<dict>\n<key>a</key><string>x<b/></string></dict></plist>", 5, "no element <b>"),
            ("<dict>\n<key>a</key><string>x<true/></string></dict></plist>", 5, "not closed before <true>"),
            ("<dict>\n</array></plist>", 5, "closes <dict> from line 4"),
            ("<dict>\nx</dict></plist>", 5, "text outside of a value"),
            ("<dict></dict>\n<dict></dict></plist>", 5, "more than one value"),
            ("</plist>", 4, "no value in <plist>"),
            ("<dict></dict></plist>\n<plist></plist>", 5, "after </plist>"),
            ("<dict><!-- \n</dict></plist>", 4, "comment is not closed"),
            (
                String(repeating: "<array>\n", count: 40) + String(repeating: "</array>", count: 40) + "</plist>", 35,
                "deeper than 32"
            ),
        ])
    func brokenXML(body: String, line: Int, fragment: String) throws {
        let error = try #require(throws: ManifestProblem.self) {
            try ManifestFile.parse(Array((Self.head + body).utf8), path: "Info.plist")
        }
        #expect(error.name == .syntax)
        #expect(error.line == line)
        #expect(error.message.contains(fragment), "\(error.message)")
    }

    @Test(
        "what is no XML property list at all is refused",
        arguments: [
            "", "{ a = b; }", "{\"a\": 1}", "<html></html>",
            "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><dict/></plist>", "<?xml version=\"1.0\"?>", "<plist>",
        ])
    func noPropertyList(text: String) {
        #expect(throws: ManifestProblem.self) { try ManifestFile.parse(Array(text.utf8), path: "Info.plist") }
    }

    @Test("a property list cut at any byte is refused and ends nothing")
    func cutAnywhere() throws {
        let whole = Array(
            (Self.head + "<dict><key>a</key><array><true/><string>&amp;</string></array></dict></plist>").utf8)
        #expect(try ManifestFile.parse(whole, path: "Info.plist").count == 1)
        for length in 0..<whole.count {
            #expect(throws: ManifestProblem.self) {
                try ManifestFile.parse(Array(whole.prefix(length)), path: "Info.plist")
            }
        }
    }

    @Test("a binary property list that nests without end is refused")
    func binaryCycles() throws {
        // Object 0 is an array whose one element is object 0.
        let cycle = Self.binary(objects: [[0xA1, 0]])
        let deep = Self.binary(objects: (0..<40).map { [0xA1, UInt8($0 + 1)] } + [[0x09]])
        let shared = Self.binary(objects: (0..<30).map { [0xA2, UInt8($0 + 1), UInt8($0 + 1)] } + [[0x09]])
        for (bytes, fragment) in [
            (cycle, "deeper than 32"), (deep, "deeper than 32"), (shared, "more than 100000 values"),
        ] {
            let error = try #require(throws: ManifestProblem.self) {
                try ManifestFile.parse(bytes, path: "Info.plist")
            }
            #expect(error.message.contains(fragment), "\(error.message)")
        }
    }

    @Test("a binary property list with any byte changed ends nothing")
    func damagedBinary() throws {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        let value = ManifestValue.dictionary([
            "list": .array([.string("é"), .integer(300), .real(1.5), .boolean(true)]), "name": .string("x"),
        ])
        let whole = [UInt8](try encoder.encode(EncodableValue(value: value)))
        #expect(try ManifestFile.parse(whole, path: "Info.plist")["name"] == .string("x"))
        for index in 8..<whole.count {
            for change: UInt8 in [0x00, 0x0F, 0x5F, 0xA1, 0xDF, 0xFF] {
                var damaged = whole
                damaged[index] = change
                // Some changes give another good list; what counts is that nothing traps.
                _ = try? ManifestFile.parse(damaged, path: "Info.plist")
            }
        }
        for length in 8..<whole.count {
            #expect(throws: ManifestProblem.self) {
                try ManifestFile.parse(Array(whole.prefix(length)), path: "Info.plist")
            }
        }
    }

    @Test(
        "broken JSON is refused with the line",
        arguments: [
            ("{\n\"a\": 1,\n}", 3), ("{\n\"a\": 1,\n\"a\": 2\n}", 3), ("[1]", nil), ("// nothing\n", 2),
        ] as [(String, Int?)])
    func brokenJSON(text: String, line: Int?) throws {
        let error = try #require(throws: ManifestProblem.self) {
            try ManifestFile.parse(Array(text.utf8), path: "Info.json")
        }
        #expect(error.name == .syntax)
        #expect(error.line == line)
    }

    @Test("two manifests in one folder are an error, by whichever path they are read")
    func bothFiles() throws {
        let bundle = try TemporaryBundle()
        try bundle.write("Info.json", manifestText())
        try bundle.write("Info.plist", Self.xml)
        for path in [bundle.folder, "\(bundle.folder)/Info.json", "\(bundle.folder)/Info.plist"] {
            let reading = ManifestReading.read(path: path, purpose: .hosting)
            #expect(reading.manifest == nil)
            #expect(reading.problems.map(\.name) == [.bothFiles])
            #expect(reading.problems.first?.fix == "Remove one of them.")
        }
    }

    @Test("what cannot be read says so")
    func unreadable() throws {
        let bundle = try TemporaryBundle()
        #expect(bundle.read().problems.map(\.name) == [.unreadable])
        #expect(
            ManifestReading.read(path: "\(bundle.folder)/nowhere", purpose: .hosting).problems.map(\.name)
                == [.unreadable])
        try FileManager.default.createDirectory(
            atPath: "\(bundle.folder)/Info.json", withIntermediateDirectories: false)
        #expect(bundle.read().problems.map(\.message) == ["This is not a regular file."])
    }

    @Test("a manifest may have the size limit and not a byte more", arguments: [0, 1])
    func sizeLimit(excess: Int) throws {
        let bundle = try TemporaryBundle()
        let text = manifestText()
        let padding = String(repeating: " ", count: ManifestFile.sizeLimit - text.utf8.count + excess)
        try bundle.write("Info.json", text + padding)
        #expect((bundle.read().manifest != nil) == (excess == 0))
    }

    /// A binary property list with one-byte references.
    private static func binary(objects: [[UInt8]]) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets.append(UInt8(bytes.count))
            bytes += object
        }
        let table = UInt8(bytes.count)
        let word = [UInt8](repeating: 0, count: 7)
        return bytes + offsets + [0, 0, 0, 0, 0, 0, 1, 1] + word + [UInt8(objects.count)] + word + [0] + word + [table]
    }
}

/// Writes values for the tests, which only read them otherwise.
private struct EncodableValue: Encodable {
    var value: ManifestValue

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch value {
        case .string(let string): try container.encode(string)
        case .integer(let integer): try container.encode(integer)
        case .real(let real): try container.encode(real)
        case .boolean(let boolean): try container.encode(boolean)
        case .array(let elements): try container.encode(elements.map(EncodableValue.init))
        case .dictionary(let members): try container.encode(members.mapValues(EncodableValue.init))
        case .other(let name): Issue.record("\(name) is not written")
        }
    }
}
