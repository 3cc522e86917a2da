import Plugins
import Scheduling

/// The values that scenario files have beyond those of manifests.
extension KeyedReader {
    static let timeFix = "Write hours and minutes, such as \"08:45\"."

    func timeOfDay(_ name: String) -> Duration? {
        guard let value = value(name) else { return nil }
        guard case .string(let text) = value else {
            return illTyped(value, name, expected: "a time of day", fix: Self.timeFix)
        }
        guard let time = ScenarioTime.timeOfDay(text) else {
            return invalid(name, "\(Self.quoted(text)) is no time of day.", fix: Self.timeFix)
        }
        return time
    }

    /// Notes that a member is missing, unless it is there under nearly the same name, which is noted as unknown.
    func require(_ name: String, of place: ScenarioKey.Place, fix: String) {
        let known = ScenarioKey.names(in: place)
        guard !has(name), !names.contains(where: { isSlip($0, of: name, known) }) else { return }
        missing(name, fix: fix)
    }

    private func isSlip(_ written: String, of name: String, _ known: [String]) -> Bool {
        !known.contains(written) && NearestName.nearest(to: written, among: known) == name
    }

    /// A time of day at which something can begin.
    func begin(_ name: String) -> Duration? {
        guard let time = timeOfDay(name) else { return nil }
        guard time < ScenarioLimits.day else {
            return invalid(name, "24:00 is the end of a day, when nothing begins.", fix: "Write \"00:00\" for example.")
        }
        return time
    }

    /// A name for people: one line that is not empty.
    func name(_ name: String, example: String) -> String? {
        guard let text = string(name, example: example) else { return nil }
        guard !text.isEmpty else { return invalid(name, "The name is empty.", fix: "Write \(example) for example.") }
        guard text.utf8.count <= ScenarioLimits.name else {
            return invalid(
                name, "The name has \(text.utf8.count) bytes, and may have \(ScenarioLimits.name).",
                fix: "Make it shorter.")
        }
        guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) }) else {
            return invalid(name, "There is a control character in it.", fix: "Write letters, digits and signs.")
        }
        return text
    }

    /// A date of the calendar, at midnight of UTC.
    func date(_ name: String) -> WallTime? {
        guard let text = string(name, example: "\"2026-03-02\"") else { return nil }
        guard let milliseconds = RFC3339Date.midnight(text) else {
            return invalid(
                name, "\(Self.quoted(text)) is no date.", fix: "Write year, month and day, such as \"2026-03-02\".")
        }
        let date = WallTime(milliseconds: milliseconds)
        guard ScenarioLimits.start.contains(date) else {
            return invalid(name, "\(Self.quoted(text)) is out of range.", fix: "Write a date from 1980 to 2099.")
        }
        return date
    }

    func app(_ name: String) -> AppIdentifier? {
        guard let text = string(name, example: "\"com.example.news\"") else { return nil }
        do throws(Refusal) {
            return try AppIdentifier(text)
        } catch {
            return refused(name, error)
        }
    }

    func task(_ name: String) -> TaskIdentifier? {
        guard let text = string(name, example: "\"com.example.news.refresh\"") else { return nil }
        do throws(Refusal) {
            return try TaskIdentifier(text)
        } catch {
            return refused(name, error)
        }
    }

    /// The value of a condition, under the condition's own name unless another is given.
    func condition(_ condition: DeviceCondition, at name: String? = nil) -> ConditionValue? {
        let name = name ?? condition.rawValue
        return switch condition {
        case .externalPower, .lowPowerMode, .idle, .unlocked, .backgroundRefresh:
            boolean(name).map { .flag($0) }
        case .batteryLevel: number(name, in: 0...1).map { .level($0) }
        case .network: word(name, as: NetworkState.self).map { .network($0) }
        case .thermal: word(name, as: ThermalState.self).map { .thermal($0) }
        }
    }

    /// A share of all times, from 0 to 1.
    func chance(_ name: String) -> Double? {
        number(name, in: 0...1)
    }

    /// Notes that there are more of something than there may be.
    func tooMany(_ name: String, _ count: Int, _ what: String, limit: Int, fix: String) {
        problems.error(.invalidValue, key(name), "There are \(count) \(what), and there may be \(limit).", fix: fix)
    }

    // MARK: Private

    private func refused<Value>(_ name: String, _ refusal: Refusal) -> Value? {
        problems.error(
            .invalidIdentifier, key(name), refusal.message,
            fix: "Write 1 to \(IdentifierSyntax.longest) letters, digits, . - and _, without an empty part.")
        return nil
    }
}
