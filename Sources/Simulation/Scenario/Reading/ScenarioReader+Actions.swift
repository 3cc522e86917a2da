import Plugins
import Scheduling

extension ScenarioReader {
    /// What happens in an event; `opensWindows` says whether a window can.
    func readAction(_ reader: KeyedReader, _ names: ScenarioNames, opensWindows: Bool) -> ScenarioAction? {
        guard let word = readWord(reader) else { return nil }
        for companion in EventCompanion.allCases where companion.word != word && reader.has(companion.rawValue) {
            problems.error(
                .invalidValue, reader.key(companion.rawValue),
                "This says nothing about \(word.rawValue); it belongs to \(companion.word.rawValue).",
                fix: "Remove this key.")
        }
        if let condition = word.condition {
            return reader.condition(condition).map { .setCondition(ScenarioCondition(condition, $0)) }
        }
        return read(word, reader, names, opensWindows: opensWindows)
    }

    /// The key that says what happens: one has to be there.
    private func readWord(_ reader: KeyedReader) -> EventWord? {
        let words = EventWord.allCases.filter { reader.has($0.rawValue) }
        if words.isEmpty {
            // A slip is told as an unknown key.
            let known = ScenarioKey.names(in: .event)
            guard reader.names.allSatisfy(known.contains) else { return nil }
            problems.error(
                .missingKey, reader.path, "This event does not say what happens.",
                fix: "Add one of \(EventWord.allCases.map(\.rawValue).joined(separator: ", ")).")
        } else if words.count > 1 {
            problems.error(
                .invalidValue, reader.key(words[1].rawValue),
                "This event says two things: \(words[0].rawValue) and \(words[1].rawValue).",
                fix: "Write an event for each.")
        }
        return words.count == 1 ? words[0] : nil
    }

    private func read(
        _ word: EventWord, _ reader: KeyedReader, _ names: ScenarioNames, opensWindows: Bool
    ) -> ScenarioAction? {
        let name = word.rawValue
        let offTimes = Duration.seconds(1)...ScenarioLimits.day
        switch word {
        case .open: return names.app(name, in: reader).map { .open($0) }
        case .use: return reader.duration(name, in: offTimes, example: "10m").map { .use($0) }
        case .forceQuit: return names.app(name, in: reader).map { .forceQuit($0) }
        case .push: return names.app(name, in: reader).map { .push($0) }
        case .transfer:
            let takes = reader.duration("takes", in: Duration.zero...ScenarioLimits.day, example: "5m") ?? .minutes(1)
            return names.app(name, in: reader).map { .transfer($0, takes: takes) }
        case .refreshSwitch:
            reader.require("on", of: .event, fix: "Write true or false.")
            guard let app = names.app(name, in: reader), let isOn = reader.boolean("on") else { return nil }
            return .refreshSwitch(app, on: isOn)
        case .submit: return names.task(name, in: reader).flatMap { readSubmission(of: $0, reader) }
        case .cancel: return names.task(name, in: reader).map { .cancel($0.identifier) }
        case .window:
            guard let length = reader.duration(name, in: offTimes, example: "5m") else { return nil }
            guard opensWindows else {
                return reader.invalid(
                    name, "No device takes windows: they are generated, or its policy has none.",
                    fix: "Write \"windows\": [] into a device with the policy apple or doze.")
            }
            return .openWindow(length)
        case .reboot: return reader.duration(name, in: offTimes, example: "2m").map { .reboot(off: $0) }
        case .osUpgrade:
            let off = reader.duration("off", in: offTimes, example: "10m") ?? .minutes(10)
            return reader.name(name, example: "\"27.1\"").map { .osUpgrade($0, off: off) }
        case .setClock: return readClockChange(reader)
        case .crash:
            guard let happens = reader.boolean(name) else { return nil }
            guard happens else { return reader.invalid(name, "Nothing happens.", fix: "Write true, or remove it.") }
            return .crash
        case .loseSource: return reader.duration(name, in: offTimes, example: "5m").map { .loseSource($0) }
        case .externalPower, .batteryLevel, .lowPowerMode, .network, .idle, .unlocked, .thermal, .backgroundRefresh:
            return nil
        }
    }

    private func readClockChange(_ reader: KeyedReader) -> ScenarioAction? {
        let name = EventWord.setClock.rawValue
        let fix = "Write + or -, a number and its unit (ms, s, m, h or d), such as \"-1h\", up to 400d."
        guard let text = reader.string(name, example: "\"-1h\"") else { return nil }
        guard text.hasPrefix("+") || text.hasPrefix("-"), let change = DurationText.parse(String(text.dropFirst())),
            change > .zero, change <= .days(400)
        else {
            return reader.invalid(name, "\(KeyedReader.quoted(text)) is no change of a clock.", fix: fix)
        }
        return .setClock(by: text.hasPrefix("-") ? .zero - change : change)
    }

    private func readSubmission(of task: ScenarioTask, _ reader: KeyedReader) -> ScenarioAction? {
        var request = TaskRequest(
            identifier: task.identifier, requiresNetworkConnectivity: task.requiresNetworkConnectivity,
            requiresExternalPower: task.requiresExternalPower)
        set(&request.requiresNetworkConnectivity, reader.boolean("requiresNetworkConnectivity"))
        set(&request.requiresExternalPower, reader.boolean("requiresExternalPower"))
        if task.kind == .continuedProcessing { request.title = task.identifier.text }
        if let strategy = reader.word("strategy", as: SubmissionStrategy.self) {
            request.strategy = strategy
            if task.kind != .continuedProcessing {
                problems.error(
                    .invalidValue, reader.key("strategy"), "Only continued processing has a strategy.",
                    fix: "Remove this key.")
            }
        }
        let choice = reader.word("ifPending", as: PendingChoice.self) ?? .replace
        let after = reader.duration("after", in: Duration.zero...Duration.days(365), example: "15m")
        var floor = after.map { ScenarioFloor.after($0) }
        if reader.has("earliestBeginDate"), reader.has("after") {
            return reader.invalid("after", "The floor is said twice.", fix: "Write either earliestBeginDate or after.")
        }
        if let time = reader.timeOfDay("earliestBeginDate") {
            // 24:00 is the next midnight, as 00:00 is.
            floor = .timeOfDay(time == ScenarioLimits.day ? .zero : time)
        }
        return .submit(request, floor: floor, choice)
    }
}
