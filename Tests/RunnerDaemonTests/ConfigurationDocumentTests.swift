import FoundationEssentials
import RPC
import Scheduling
import Testing

@testable import RunnerDaemon

@Suite("docs/configuration.md")
struct ConfigurationDocumentTests {
    private let text: String

    init() throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = tests.deletingLastPathComponent().appending(path: "docs/configuration.md")
        text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }

    @Test("its example is a configuration")
    func example() throws {
        let parts = text.split(separator: "```json\n")
        let example = try #require(parts.dropFirst().first?.split(separator: "```").first)
        let configuration = try FakeSurroundings(uid: 0, file: String(example)).configuration()
        #expect(configuration.pluginFolders == ["/etc/runner/plugins", "/srv/bundles"])
        #expect(configuration.policy.limits == .apple)
        #expect(configuration.access.users == ["alice": .admin])
        #expect(configuration.connectionLimits.outputStallMilliseconds == 10_000)
        #expect(!configuration.simulation)
    }

    @Test("it has every key with its default and meaning, as help has it, and no other")
    func keys() throws {
        let section = try #require(text.split(separator: "## Keys\n").last?.split(separator: "\n## ").first)
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
        #expect(
            rows
                == ConfigurationKey.all.map { key in
                    switch key.standard {
                    case .value(let text): "| `\(key.path)` | `\(text)` | \(key.help) |"
                    case .depends(let text): "| `\(key.path)` | \(text) | \(key.help) |"
                    }
                })
    }
}
