import Plugins
import Scheduling
import Testing

@testable import Simulation

@Suite("Figures of policies")
struct ParameterKeyTests {
    @Test("every figure of a policy has a key of its name, in the order of the policy")
    func all() {
        #expect(AppleParameters.keys.map(\.name) == names(AppleParameters()))
        #expect(DozeParameters.keys.map(\.name) == names(DozeParameters()))
    }

    @Test("what is called the default is the default, and can be written")
    func defaults() throws {
        #expect(try device("apple", AppleParameters.keys, AppleParameters()).policy == .apple())
        #expect(try device("doze", DozeParameters.keys, DozeParameters()).policy == .doze())
    }

    @Test("every key is read: a value that fits nowhere is a problem of it")
    func everyKeyIsRead() {
        let keys = [("apple", AppleParameters.keys.map(\.name)), ("doze", DozeParameters.keys.map(\.name))]
        for (policy, names) in keys {
            for name in names {
                let text = """
                    {"apps": [], "devices": [{"policy": "\(policy)", "parameters": {"\(name)": null}}]}
                    """
                #expect(read(text).problems.map(\.key) == ["devices[0].parameters.\(name)"])
            }
        }
    }

    private func names(_ parameters: Any) -> [String] {
        Mirror(reflecting: parameters).children.compactMap(\.label)
    }

    private func device<Parameters>(
        _ policy: String, _ keys: [ParameterKey<Parameters>], _ parameters: Parameters
    ) throws -> ScenarioDevice {
        let members = keys.map { "\"\($0.name)\": \($0.text(of: parameters))" }.joined(separator: ", ")
        let reading = read("{\"apps\": [], \"devices\": [{\"policy\": \"\(policy)\", \"parameters\": {\(members)}}]}")
        #expect(reading.problems == [])
        return try #require(reading.scenario?.devices.first)
    }
}
