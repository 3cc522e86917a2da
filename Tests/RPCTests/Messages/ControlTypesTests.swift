import Scheduling
import Testing

@testable import RPC

struct ControlTypesTests {
    private func faults(_ shape: NamedSchema, _ body: (inout JSONWriter) -> Void) throws -> [String] {
        let text = Samples.text(body)
        return shape.schema.faults(of: try JSONDocument.parse(Array(text.utf8)).root)
    }

    /// The members that a value has beside the required ones.
    private func optional(_ shape: NamedSchema, _ body: (inout JSONWriter) -> Void) throws -> Set<String> {
        let value = try JSONDocument.parse(Array(Samples.text(body).utf8)).root
        let optional = shape.schema.members?.filter(\.isOptional).map(\.name) ?? []
        return Set(optional.filter { value[$0] != nil })
    }

    private func optionalNames(_ shape: NamedSchema) -> Set<String> {
        Set(shape.schema.members?.filter(\.isOptional).map(\.name) ?? [])
    }

    @Test("a request is of the shape that is told", arguments: [true, false])
    func requests(full: Bool) throws {
        let request = try Samples.request(full: full)
        #expect(try faults(ControlTypes.request) { $0.value(request) } == [])
        let names = full ? optionalNames(ControlTypes.request) : []
        #expect(try optional(ControlTypes.request) { $0.value(request) } == names)
    }

    @Test("a run is of the shape that is told", arguments: [true, false])
    func runs(full: Bool) throws {
        let run = try Samples.run(full: full)
        let remaining: Duration? = full ? .milliseconds(1_500) : nil
        #expect(try faults(ControlTypes.run) { $0.value(run, remaining: remaining) } == [])
        let names = full ? optionalNames(ControlTypes.run) : []
        #expect(try optional(ControlTypes.run) { $0.value(run, remaining: remaining) } == names)
    }

    @Test("a diagnostic, a gate and a finding are of the shapes that are told", arguments: [true, false])
    func explanations(full: Bool) throws {
        let diagnostic = try Samples.diagnostic(full: full)
        #expect(try faults(ControlTypes.diagnostic) { $0.value(diagnostic) } == [])
        let now = full ? Samples.moment : nil
        let gate = Gate(.network, .unknown, since: now, opensAt: now, source: full ? "netlink" : nil, detail: "D.")
        #expect(try faults(ControlTypes.gate) { $0.value(gate) } == [])
        let finding = Finding(
            .notice, "paused", app: full ? try AppIdentifier("a.b") : nil,
            identifier: full ? try TaskIdentifier("a.b.c") : nil, message: "M.", fix: "F.")
        #expect(try faults(ControlTypes.finding) { $0.value(finding) } == [])
    }

    @Test(
        "a condition is of the shape that is told, whatever its value",
        arguments: [nil, ConditionValue.flag(true), .level(0.25), .network(.metered), .thermal(.critical)])
    func conditions(value: ConditionValue?) throws {
        let reading = ConditionReading(
            condition: .network, value: value, source: "s", since: nil, overridden: false, until: Samples.moment)
        #expect(try faults(ControlTypes.condition) { $0.value(reading) } == [])
    }

    @Test("a value of another shape is found out")
    func faultyValues() throws {
        let request = try Samples.request(full: false)
        #expect(try faults(ControlTypes.gate) { $0.value(request) }.contains("result.gate is missing"))
        #expect(try faults(ControlTypes.gate) { $0.value(request) }.contains("result.identifier is not described"))
        #expect(
            try faults(ControlTypes.exit) { $0.object { $0.member("code", "1") } } == ["result.code is not integer"])
    }
}
