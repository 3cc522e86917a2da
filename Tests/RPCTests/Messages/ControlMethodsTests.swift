import RPC
import Scheduling
import Testing

struct ControlMethodsTests {
    private static let names = ControlMethods.all.map(\.name)

    private func method(_ name: String) throws -> MethodDescription {
        try #require(ControlMethods.all.first { $0.name == name })
    }

    @Test(
        "positions are those of the contract",
        arguments: [
            ("rpc.discover", ""), ("hello", "client? protocols?"), ("status", ""), ("apps", ""), ("registered", ""),
            (
                "submit",
                "identifier kind? earliestBeginDate? requiresNetworkConnectivity? requiresExternalPower? title? "
                    + "subtitle? strategy? ifPending? toleranceSeconds? requiredResources?"
            ),
            ("cancel", "identifier"), ("cancelAll", "app?"), ("stop", "identifier? run? wait?"),
            ("pending", "identifier? app? limit? after?"), ("running", ""),
            ("simulateLaunch", "identifier submit? budget? wait? timeoutSeconds?"),
            ("simulateExpiration", "identifier reason? wait? timeoutSeconds?"), ("wait", "run timeoutSeconds?"),
            ("run", "run"), ("history", "identifier? limit? before? origin? state?"), ("explain", "identifier"),
            ("doctor", ""), ("device", ""), ("device.history", "condition? limit? before?"),
            ("device.override", "condition value forSeconds?"),
            ("device.clear", "condition?"), ("device.report", "condition value source validSeconds?"),
            ("app.opened", "app"), ("app.forceQuit", "app"), ("app.setRefresh", "app enabled"), ("app.resume", "app"),
            ("pause", "app?"), ("resume", "app?"), ("log", "run? app? limit? after?"), ("reload", ""),
            ("shutdown", "graceSeconds?"), ("debug", "last?"),
            ("events.subscribe", "types? identifiers? since? snapshot?"), ("events.unsubscribe", "subscription"),
        ])
    func positions(name: String, parameters: String) throws {
        let method = try method(name)
        let words = method.parameters.map { $0.isRequired ? $0.name : $0.name + "?" }
        #expect(words.joined(separator: " ") == parameters)
    }

    @Test(
        "levels are those of the contract",
        arguments: [
            (
                AccessLevel.read,
                "rpc.discover hello status apps registered pending running wait run history explain doctor device "
                    + "device.history log events.subscribe events.unsubscribe"
            ),
            (.operate, "submit cancel cancelAll stop device.report app.opened app.forceQuit app.setRefresh"),
            (
                .admin,
                "simulateLaunch simulateExpiration device.override device.clear app.resume pause resume reload shutdown "
                    + "debug"
            ),
        ])
    func levels(level: AccessLevel, names: String) {
        for name in names.split(separator: " ") {
            #expect(ControlMethods.all.first { $0.name == name }?.access == level, "\(name)")
        }
    }

    @Test("no two methods have the same name")
    func unique() {
        #expect(Set(ControlMethods.all.map(\.name)).count == ControlMethods.all.count)
    }

    @Test("every method and every parameter is described in a sentence", arguments: names)
    func descriptions(name: String) throws {
        let method = try method(name)
        #expect(method.summary.hasSuffix("."))
        #expect(method.resultNote.isEmpty || method.resultNote.hasSuffix("."))
        for shape in method.result.named { #expect(shape.summary.hasSuffix("."), "\(shape.name)") }
        for parameter in method.parameters { #expect(parameter.summary.hasSuffix("."), "\(parameter.name)") }
    }

    @Test("an error that a method names is not one that all have, and is named once", arguments: names)
    func errors(name: String) throws {
        let errors = try method(name).errors
        let common = Set(ErrorDescription.ofEveryRequest.map(\.kind))
        for kind in errors { #expect(!common.contains(kind.rawValue), "\(kind)") }
        #expect(Set(errors).count == errors.count)
    }

    @Test("every kind of error is described once, in a sentence")
    func errorKinds() {
        let kinds = ErrorDescription.all.map(\.kind)
        #expect(Set(kinds).count == kinds.count)
        #expect(Set(kinds).isSuperset(of: Refusal.Kind.allCases.map(\.rawValue)))
        for error in ErrorDescription.all { #expect(error.summary.hasSuffix("."), "\(error.kind)") }
    }

    @Test("two shapes never share a name")
    func shapes() {
        let shapes = Set(ControlMethods.all.flatMap(\.result.named))
        #expect(Set(shapes.map(\.name)).count == shapes.count)
    }

    @Test(
        "the result of an example is of the shape that the method promises, and its params can be read",
        arguments: names)
    func examples(name: String) throws {
        let method = try method(name)
        let result = try JSONDocument.parse(Array(method.example.result.utf8)).root
        #expect(method.result.faults(of: result) == [])
        _ = try ParameterReader(JSONDocument.parse(Array(method.example.params.utf8)).root, for: method)
    }

    @Test("an example's result shows what its params ask for")
    func fittingExamples() throws {
        func example(_ method: MethodDescription) throws -> (params: JSONValue, result: JSONValue) {
            (
                try JSONDocument.parse(Array(method.example.params.utf8)).root,
                try JSONDocument.parse(Array(method.example.result.utf8)).root
            )
        }
        let expiration = try example(ControlMethods.simulateExpiration)
        #expect(expiration.params["reason"]?.string == expiration.result["run"]?["expirationReason"]?.string)
        #expect(try example(ControlMethods.stop).result["run"]?["expirationReason"]?.string == "stopped")
        let cleared = try example(ControlMethods.deviceClear)
        let condition = try #require(cleared.params["condition"]?.string)
        #expect(cleared.result["state"]?[condition]?["overridden"]?.bool == false)
        let override = try example(ControlMethods.deviceOverride)
        #expect(override.result["state"]?["externalPower"]?["overridden"]?.bool == true)
        #expect(override.result["state"]?["externalPower"]?["value"]?.bool == override.params["value"]?.bool)
        let report = try example(ControlMethods.deviceReport)
        let network = report.result["state"]?["network"]
        #expect(network?["value"]?.string == report.params["value"]?.string)
        #expect(network?["source"]?.string == report.params["source"]?.string)
        #expect(network?["until"]?.string != nil)
    }

    @Test("required parameters come before optional ones", arguments: names)
    func order(name: String) throws {
        let method = try method(name)
        let firstOptional = method.parameters.firstIndex { !$0.isRequired } ?? method.parameters.count
        #expect(method.parameters[firstOptional...].allSatisfy { !$0.isRequired })
    }
}
