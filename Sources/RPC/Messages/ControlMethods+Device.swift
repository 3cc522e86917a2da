import Scheduling

/// The device's conditions.
extension ControlMethods {
    package static let device = MethodDescription(
        "device", summary: "Shows the conditions of the device, who says so and since when.", result: stateResult,
        access: .read, example: MethodExample("As it is now", result: ControlExamples.device))

    package static let deviceHistory = MethodDescription(
        "device.history", summary: "Lists the changes of the device's conditions that are kept, newest first.",
        parameters: [
            ControlParameters.optionalCondition, ControlParameters.limit, ControlParameters.before,
        ],
        result: .object([
            Member("changes", .array(.named(ControlTypes.change)), "Newest first."),
            Member("next", .string, optional: true, "For 'before', when there is more."),
        ]),
        errors: [.storeUnavailable], access: .read,
        example: MethodExample(
            "When the network was there", params: #"{"condition":"network","limit":2}"#,
            result: #"{"changes":[\#(ControlExamples.change)]}"#))

    package static let deviceOverride = MethodDescription(
        "device.override", summary: "Sets a condition by hand, over what its sources say.",
        parameters: [
            ControlParameters.condition, ControlParameters.value,
            ControlParameters.seconds("forSeconds", "Ends the override by itself."),
        ],
        result: stateResult, errors: [.simulationDisabled, .storeUnavailable], access: .admin,
        example: MethodExample(
            "As if the plug was pulled for a minute",
            params: #"{"condition":"externalPower","value":false,"forSeconds":60}"#,
            result: ControlExamples.overridden))

    package static let deviceClear = MethodDescription(
        "device.clear", summary: "Ends one override, or all.",
        parameters: [ControlParameters.optionalCondition],
        result: stateResult, errors: [.simulationDisabled, .storeUnavailable], access: .admin,
        example: MethodExample(
            "As its sources say again", params: #"{"condition":"externalPower"}"#, result: ControlExamples.device))

    package static let deviceReport = MethodDescription(
        "device.report", summary: "Tells what a source outside of the daemon knows.",
        parameters: [
            ControlParameters.condition, ControlParameters.reportedValue,
            ParameterDescription("source", .string, required: true, summary: "The name of the source."),
            ControlParameters.seconds("validSeconds", "How long the value holds."),
        ],
        result: stateResult, errors: [.storeUnavailable], access: .operate,
        example: MethodExample(
            "What a script found out",
            params: #"{"condition":"network","value":"metered","source":"hotspot","validSeconds":3600}"#,
            result: ControlExamples.reported))

    private static let stateResult = JSONSchema.object([
        Member(
            "state",
            .object(DeviceCondition.allCases.map { Member($0.rawValue, .named(ControlTypes.condition)) }),
            "A member for every condition.")
    ])
}
