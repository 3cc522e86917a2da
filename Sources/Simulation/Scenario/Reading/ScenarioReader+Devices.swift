import Plugins
import Scheduling

extension ScenarioReader {
    private static let example = "[{\"name\": \"phone\", \"policy\": \"apple\"}]"

    /// The policies by name.
    private enum PolicyWord: String, CaseIterable {
        case prompt
        case apple
        case doze
    }

    private enum LimitsWord: String, CaseIterable {
        case generous
        case apple
    }

    func readDevices(_ names: ScenarioNames) -> [ScenarioDevice]? {
        guard let readers = top.dictionaries("devices", example: Self.example) else { return nil }
        guard readers.count <= ScenarioLimits.devices else {
            top.tooMany(
                "devices", readers.count, "devices", limit: ScenarioLimits.devices, fix: "Write a second scenario.")
            return nil
        }
        if readers.isEmpty, !problems.hasErrors {
            problems.error(
                .invalidValue, top.key("devices"), "There is no device.", fix: "Write \(Self.example) for example.")
        }
        var devices: [ScenarioDevice] = []
        for reader in readers {
            let device = readDevice(reader, names)
            if devices.contains(where: { $0.name == device.name }) {
                problems.error(
                    .invalidValue, reader.key("name"), "There are two devices \(KeyedReader.quoted(device.name)).",
                    fix: "Give each a name of its own.")
            }
            devices.append(device)
        }
        return devices
    }

    private func readDevice(_ reader: KeyedReader, _ names: ScenarioNames) -> ScenarioDevice {
        reader.refuseUnknown(besides: ScenarioKey.names(in: .device))
        let policy = readPolicy(reader)
        var device = ScenarioDevice(
            name: reader.name("name", example: "\"phone\"") ?? policy.name, policy: policy)
        if let conditions = reader.dictionary("conditions", example: "{\"externalPower\": false}") {
            device.conditions = readConditions(conditions)
        }
        if let texts = reader.strings("refreshDisabled", example: "[\"com.example.news\"]") {
            device.refreshDisabled = texts.enumerated().compactMap { index, text in
                refreshDisabled(text, key: "\(reader.key("refreshDisabled"))[\(index)]", names)
            }
        }
        readWindows(reader, &device)
        return device
    }

    private func refreshDisabled(_ text: String, key: String, _ names: ScenarioNames) -> AppIdentifier? {
        guard let app = try? AppIdentifier(text), names.apps.contains(app) || !names.isComplete else {
            let nearest = NearestName.nearest(to: text, among: names.apps.map(\.text))
            problems.error(
                .invalidValue, key, "There is no app \(KeyedReader.quoted(text)).",
                fix: nearest.map { "Did you mean \"\($0)\"?" } ?? "Add it to the apps.")
            return nil
        }
        return app
    }

    private func readConditions(_ reader: KeyedReader) -> [ScenarioCondition] {
        reader.refuseUnknown(besides: DeviceCondition.allCases.map(\.rawValue))
        return DeviceCondition.allCases.compactMap { condition in
            reader.condition(condition).map { ScenarioCondition(condition, $0) }
        }
    }

    // MARK: Policies

    private func readPolicy(_ reader: KeyedReader) -> Policy {
        let parameters = reader.dictionary("parameters", example: "{\"windows\": \"given\"}")
        var policy: Policy
        switch reader.word("policy", as: PolicyWord.self) {
        case .apple:
            policy = .apple(read(parameters, AppleParameters(), AppleParameters.keys))
        case .doze:
            let doze = read(parameters, DozeParameters(), DozeParameters.keys)
            if doze.shortestWindow > doze.longestWindow, let parameters {
                problems.error(
                    .invalidValue, parameters.key("shortestWindow"), "The shortest window is longer than the longest.",
                    fix: "Write at most \"\(DurationText.format(doze.longestWindow))\", or a longer longestWindow.")
            }
            policy = .doze(doze)
        case .prompt, nil:
            policy = .prompt
            if let parameters, let first = parameters.names.first, !reader.has("policy") || !problems.hasErrors {
                problems.error(
                    .invalidValue, parameters.key(first), "The policy prompt has no parameters.",
                    fix: "Remove them, or choose the policy apple or doze.")
            }
        }
        switch reader.word("limits", as: LimitsWord.self) {
        case .generous: policy.limits = .generous
        case .apple: policy.limits = .apple
        case nil: break
        }
        set(&policy.concurrency, reader.integer("concurrency", in: 1...1_024).map { Int($0) })
        if let budgets = reader.dictionary("budgets", example: "{\"processing\": \"10m\"}") {
            budgets.refuseUnknown(besides: ScenarioKey.names(in: .budgets))
            let range = Duration.seconds(1)...DurationText.longest
            set(&policy.budgets.appRefresh, budgets.duration("appRefresh", in: range))
            set(&policy.budgets.processing, budgets.duration("processing", in: range, example: "10m"))
            let graces = Duration.milliseconds(1)...Duration.hours(1)
            set(&policy.budgets.grace, budgets.duration("grace", in: graces, example: "5s"))
        }
        return policy
    }

    private func read<Parameters>(
        _ reader: KeyedReader?, _ standard: Parameters, _ keys: [ParameterKey<Parameters>]
    ) -> Parameters {
        guard let reader else { return standard }
        var parameters = standard
        reader.refuseUnknown(besides: keys.map(\.name))
        for key in keys { key.read(reader, into: &parameters) }
        return parameters
    }

    // MARK: Windows

    private func readWindows(_ reader: KeyedReader, _ device: inout ScenarioDevice) {
        let range = Duration.seconds(1)...ScenarioLimits.day
        let length =
            reader.duration("windowLength", in: range, example: "2m") ?? device.policy.apple?.windowLength
            ?? device.policy.doze?.shortestWindow ?? .minutes(5)
        guard let value = reader.value("windows") else { return checkWindowLength(reader, device) }
        let fix = "Write an array of times, such as [\"00:40\", {\"at\": \"03:15\", \"for\": \"5m\"}]."
        guard case .array(let elements) = value else {
            return reader.illTyped(value, "windows", expected: "an array", fix: fix) ?? ()
        }
        guard elements.count <= ScenarioLimits.windows else {
            return reader.tooMany(
                "windows", elements.count, "windows a day", limit: ScenarioLimits.windows,
                fix: "Let the policy generate them.")
        }
        guard device.policy.isApple || device.policy.isDoze else {
            problems.error(
                .invalidValue, reader.key("windows"), "The policy prompt has no windows.",
                fix: "Remove this key, or choose the policy apple or doze.")
            return
        }
        if let parameters = reader.dictionary("parameters", example: "{}"), parameters.has("windows") {
            if !device.takesWindows {
                problems.error(
                    .invalidValue, reader.key("windows"), "The windows are given, and the policy generates them too.",
                    fix: "Remove this key, or write \"windows\": \"given\" into the parameters.")
            }
        } else {
            device.policy.apple?.windows = .given
            device.policy.doze?.windows = .given
        }
        var times: Set<Duration> = []
        device.windows = elements.enumerated().compactMap { index, element in
            let key = "\(reader.key("windows"))[\(index)]"
            let window = readWindow(element, key: key, length: length)
            if let window, !times.insert(window.at).inserted {
                problems.warning(
                    .withoutEffect, key, "There are two windows at \(ScenarioTime.text(timeOfDay: window.at)).",
                    fix: "Remove one of the two.")
            }
            return window
        }
    }

    private func checkWindowLength(_ reader: KeyedReader, _ device: ScenarioDevice) {
        guard reader.has("windowLength") else { return }
        problems.warning(
            .withoutEffect, reader.key("windowLength"), "No windows are given.",
            fix: "Add windows, or remove this key; how long generated windows are is a parameter.")
    }

    private func readWindow(_ value: ManifestValue, key: String, length: Duration) -> ScenarioWindow? {
        switch value {
        case .string(let text):
            guard let at = ScenarioTime.timeOfDay(text), at < ScenarioLimits.day else {
                problems.error(
                    .invalidValue, key, "\(KeyedReader.quoted(text)) is no time of day.", fix: KeyedReader.timeFix)
                return nil
            }
            return ScenarioWindow(at: at, length: length)
        case .dictionary(let members):
            let reader = KeyedReader(members, path: key, problems: problems)
            reader.refuseUnknown(besides: ScenarioKey.names(in: .window))
            let range = Duration.seconds(1)...ScenarioLimits.day
            let ownLength = reader.duration("for", in: range, example: "5m")
            reader.require("at", of: .window, fix: KeyedReader.timeFix)
            return reader.begin("at").map { ScenarioWindow(at: $0, length: ownLength ?? length) }
        case .integer, .real, .boolean, .array, .other:
            problems.error(
                .wrongType, key, "This must be a time or a dictionary and is \(value.typeName).",
                fix: "Write \"03:15\" or {\"at\": \"03:15\", \"for\": \"5m\"}.")
            return nil
        }
    }
}
