import Plugins
import Scheduling

extension ScenarioReader {
    private static let example = "[{\"at\": \"08:10\", \"open\": \"com.example.news\"}]"

    /// When an event happens.
    private struct Time {
        var at: Duration
        /// When what began ends again.
        var to: Duration?
        var spread: Duration
        var chance: Double
        var days: [ClosedRange<Int>?]
    }

    /// - Parameters:
    ///   - days: how many days the scenario has.
    ///   - opensWindows: whether an event can open a window.
    func readEvents(_ names: ScenarioNames, days: Int, opensWindows: Bool) -> [ScenarioEvent]? {
        if case .array(let elements)? = top.value("events"), elements.count > ScenarioLimits.events {
            top.tooMany(
                "events", elements.count, "events", limit: ScenarioLimits.events,
                fix: "Leave some out; what happens every day needs one event.")
            return nil
        }
        guard let readers = top.dictionaries("events", example: Self.example) else { return nil }
        var events: [ScenarioEvent] = []
        // Nobody reads on after so many problems.
        for reader in readers where problems.problems.count < ScenarioLimits.problems {
            reader.refuseUnknown(besides: ScenarioKey.names(in: .event))
            let time = readTime(reader, days: days)
            let action = readAction(reader, names, opensWindows: opensWindows)
            guard let time, let action else { continue }
            events += self.events(time, action, reader)
            // What a file may multiply is counted while it is.
            guard events.count <= ScenarioLimits.events else { break }
        }
        return events
    }

    private func events(_ time: Time, _ action: ScenarioAction, _ reader: KeyedReader) -> [ScenarioEvent] {
        var end: ScenarioAction?
        if time.to != nil {
            guard let opposite = readEnd(of: action, reader) else { return [] }
            end = opposite
        } else if reader.has("then") {
            problems.error(
                .invalidValue, reader.key("then"), "Nothing ends here, so that nothing can be then.",
                fix: "Write from and to instead of at, or remove this key.")
        }
        return time.days.flatMap { days in
            let event = ScenarioEvent(at: time.at, spread: time.spread, days: days, chance: time.chance, action)
            guard let to = time.to, let end else { return [event] }
            // A time that lies before the beginning is one of the next day.
            let endDays = to > time.at ? days : days.map { $0.lowerBound + 1...$0.upperBound + 1 }
            return [event, ScenarioEvent(at: to, spread: time.spread, days: endDays, chance: time.chance, end)]
        }
    }

    // MARK: Times

    private func readTime(_ reader: KeyedReader, days: Int) -> Time? {
        let spread = reader.duration("spread", in: Duration.zero...Duration.hours(12), example: "15m") ?? .zero
        let chance = reader.chance("chance") ?? 1
        let days = readDays(reader, last: days)
        guard reader.has("from") || reader.has("to") else {
            reader.require("at", of: .event, fix: KeyedReader.timeFix)
            return reader.begin("at").map { Time(at: $0, spread: spread, chance: chance, days: days) }
        }
        if reader.has("at") {
            return reader.invalid("at", "This event has two beginnings.", fix: "Write either at, or from and to.")
        }
        for name in ["from", "to"] { reader.require(name, of: .event, fix: KeyedReader.timeFix) }
        guard let from = reader.begin("from"), let to = reader.timeOfDay("to") else { return nil }
        guard from != to else {
            return reader.invalid("to", "It ends when it begins.", fix: "Write another time.")
        }
        guard chance == 1 else {
            return reader.invalid(
                "chance", "What begins and ends by chance might end without having begun.",
                fix: "Remove this key, or write an event for the beginning and one for the end.")
        }
        let between = to > from ? to - from : to + ScenarioLimits.day - from
        guard spread * 2 < min(between, ScenarioLimits.day - between) || spread == .zero else {
            return reader.invalid(
                "spread", "With so much spread it might end before it begins.",
                fix: "Write less than half of the time between from and to, and of that until it begins again.")
        }
        return Time(at: from, to: to, spread: spread, chance: 1, days: days)
    }

    /// The days on which an event happens; a single `nil` for every day.
    private func readDays(_ reader: KeyedReader, last: Int) -> [ClosedRange<Int>?] {
        guard let name = ["day", "days"].first(where: reader.has), let value = reader.value(name) else { return [nil] }
        if name == "day", reader.has("days") {
            problems.error(
                .invalidValue, reader.key("days"), "The days are said twice.", fix: "Write either day or days.")
        }
        var elements = [(reader.key(name), value)]
        if case .array(let values) = value {
            elements = values.enumerated().map { ("\(reader.key(name))[\($0)]", $1) }
        }
        if elements.isEmpty {
            problems.error(
                .invalidValue, reader.key(name), "There is no day.", fix: "Write [1, \"3-5\"] for example.")
        }
        let days = elements.compactMap { key, value in readDay(value, key: key) }
        if let first = days.first, days.count == elements.count, days.allSatisfy({ $0.lowerBound > last }) {
            problems.warning(
                .withoutEffect, reader.key(name), "Day \(first.lowerBound) never comes: the scenario has \(last).",
                fix: "Write an earlier day, or more days.")
        }
        return days
    }

    private func readDay(_ value: ManifestValue, key: String) -> ClosedRange<Int>? {
        let fix =
            "Write a number from 1 to \(ScenarioLimits.days.upperBound), or the first and the last, such as \"2-5\"."
        let days: ClosedRange<Int>?
        switch value {
        case .integer(let day): days = Int(exactly: day).map { $0...$0 }
        case .string(let text): days = ScenarioTime.days(text)
        case .real, .boolean, .array, .dictionary, .other:
            problems.error(.wrongType, key, "This must be a day and is \(value.typeName).", fix: fix)
            return nil
        }
        guard let days, ScenarioLimits.days.contains(days.lowerBound), ScenarioLimits.days.contains(days.upperBound)
        else {
            problems.error(.invalidValue, key, "There is no such day.", fix: fix)
            return nil
        }
        return days
    }

    // MARK: Ends

    /// What holds when a condition that began has ended.
    private func readEnd(of action: ScenarioAction, _ reader: KeyedReader) -> ScenarioAction? {
        guard case .setCondition(let begun) = action else {
            return reader.invalid(
                "to", "Only a condition goes on until a time.", fix: "Write at instead of from, and remove this key.")
        }
        if reader.has("then") {
            return reader.condition(begun.condition, at: "then").map {
                .setCondition(ScenarioCondition(begun.condition, $0))
            }
        }
        guard case .flag(let flag) = begun.value else {
            reader.missing("then", fix: "Write what \(begun.condition.rawValue) is from then on.")
            return nil
        }
        return .setCondition(ScenarioCondition(begun.condition, .flag(!flag)))
    }
}
