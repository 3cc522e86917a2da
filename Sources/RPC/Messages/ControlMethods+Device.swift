import Scheduling

/// The device's conditions.
extension ControlMethods {
    package static let device = MethodDescription(
        "device", summary: "Shows the conditions of the device, who says so and since when.", result: stateResult,
        access: .read)

    package static let deviceOverride = MethodDescription(
        "device.override", summary: "Sets a condition by hand, over what its sources say.",
        parameters: [
            ControlParameters.condition, ControlParameters.value,
            ControlParameters.seconds("forSeconds", "Ends the override by itself."),
        ],
        result: stateResult, errors: ["simulationDisabled", "storeUnavailable"], access: .admin)

    package static let deviceClear = MethodDescription(
        "device.clear", summary: "Ends one override, or all.",
        parameters: [
            ParameterDescription(
                "condition", .enumeration(ControlParameters.words(DeviceCondition.self)),
                summary: "Only this condition.")
        ],
        result: stateResult, errors: ["simulationDisabled", "storeUnavailable"], access: .admin)

    package static let deviceReport = MethodDescription(
        "device.report", summary: "Tells what a source outside of the daemon knows.",
        parameters: [
            ControlParameters.condition, ControlParameters.value,
            ParameterDescription("source", .string, required: true, summary: "The name of the source."),
            ControlParameters.seconds("validSeconds", "How long the value holds."),
        ],
        result: stateResult, errors: ["storeUnavailable"], access: .operate)

    private static let stateResult = "{state: {every condition: {value, source, since?, overridden, until?}}}"
}
