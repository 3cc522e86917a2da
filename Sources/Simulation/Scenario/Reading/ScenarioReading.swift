package import Plugins
import RPC
import Scheduling

/// What reading a scenario gave: the scenario if nothing is wrong with it, and everything that is to say about it.
package struct ScenarioReading: Sendable {
    /// Gives the bytes of a file, or says why it cannot.
    package typealias Loader = (String) throws(ManifestProblem) -> [UInt8]

    /// `nil` when a problem is an error.
    package private(set) var scenario: Scenario?
    package private(set) var problems: [ManifestProblem] = []
    /// The keys at the top of the files that were read.
    private var keys: Set<String> = []

    /// Reads a scenario, and those that it extends.
    package static func read(_ path: String, load: Loader) -> ScenarioReading {
        var reading = ScenarioReading()
        let start = ScenarioLimits.firstDay
        var scenario = Scenario(name: defaultName(path), start: start)
        do throws(ManifestProblem) {
            _ = reading.apply(path, try load(path), to: &scenario, extending: [], load)
        } catch {
            reading.problems.append(error)
        }
        reading.scenario = reading.problems.contains { $0.severity == .error } ? nil : scenario
        return reading
    }

    // MARK: Private

    /// - Parameter others: the files that extend this one.
    /// - Returns: whether all was read that others build on.
    private mutating func apply(
        _ path: String, _ bytes: [UInt8], to scenario: inout Scenario, extending others: [String], _ load: Loader
    ) -> Bool {
        var isWhole = true
        let list = ProblemList(file: path)
        do throws(JSONSyntaxError) {
            let root = ManifestValue(try CommentedJSON.parse(bytes).root)
            guard case .dictionary(let members) = root else {
                list.error(
                    .syntax, nil, line: 1, "The file holds \(root.typeName) instead of a dictionary.",
                    fix: "Write its keys and values between { and }.")
                problems += list.problems
                return false
            }
            var reader = ScenarioReader(members, problems: list)
            if let base = reader.base {
                let place = Self.place(of: base, beside: path)
                if others.contains(place) || place == path {
                    list.error(
                        .invalidValue, "extends", "The files extend each other in a circle.",
                        fix: "Name a file that does not come back to this one.")
                    isWhole = false
                } else if others.count + 1 >= ScenarioLimits.files {
                    list.error(
                        .invalidValue, "extends", "More than \(ScenarioLimits.files) files extend each other.",
                        fix: "Copy what they say into fewer files.")
                    isWhole = false
                } else {
                    isWhole = extend(base, place, to: &scenario, by: others + [path], list, load)
                }
            } else {
                isWhole = !members.keys.contains("extends")
            }
            // What is missing, and is not known to be missing because of another problem.
            if others.isEmpty, isWhole { reader.checkWhole(others: keys) }
            reader.hasBase = isWhole
            reader.apply(to: &scenario)
            keys.formUnion(members.keys)
            // Without problems nobody asks for lines.
            if !list.problems.isEmpty {
                let lines = KeyLines(bytes)
                list.addLines { lines.line(of: $0) }
            }
        } catch {
            list.error(.syntax, nil, line: error.line, error.message, fix: Self.fix(for: error, bytes))
            isWhole = false
        }
        problems += list.problems
        return isWhole
    }

    /// Reads the file that another one extends; what is wrong with naming it is a problem of that one.
    private mutating func extend(
        _ name: String, _ path: String, to scenario: inout Scenario, by others: [String], _ list: ProblemList,
        _ load: Loader
    ) -> Bool {
        let bytes: [UInt8]
        do throws(ManifestProblem) {
            bytes = try load(path)
        } catch {
            list.error(
                error.name, "extends", "\(KeyedReader.quoted(name)) cannot be extended. \(error.message)",
                fix: "Write the path of a scenario, from the folder of this file.")
            return false
        }
        return apply(path, bytes, to: &scenario, extending: others, load)
    }

    /// What to do about text that is no JSON.
    private static func fix(for error: JSONSyntaxError, _ bytes: [UInt8]) -> String {
        switch error.reason {
        case .byteOrderMark: return "Save the file without a byte order mark."
        case .numberTooLarge: return "Write a number of at most \(Int64.max)."
        case .duplicateName: return "Remove one of the two."
        case .tooDeep: return "Write fewer brackets within each other."
        case .incomplete:
            return bytes.isEmpty
                ? "Write the scenario's keys and values between { and }."
                : "Add what is missing at its end, such as } or \"."
        case .syntax:
            let near = ["/": "Begin comments with //; /* is none.", "'": "Write names and texts between \" and \"."]
            for (sign, fix) in near where error.message.hasSuffix("near '\(sign)'.") { return fix }
            if ["}", "]"].contains(where: { error.message.hasSuffix("near '\($0)'.") }) {
                return "Remove the comma before it, or correct what is written there."
            }
            return "Correct the file there."
        case .invalidUTF8, .nulByte, .nulInName: return "Correct the file there."
        }
    }

    /// The path of a file that another one names.
    private static func place(of name: String, beside path: String) -> String {
        guard !name.hasPrefix("/"), let slash = path.lastIndex(of: "/") else { return name }
        return path[...slash] + name
    }

    /// The file's name without what says of which kind it is.
    private static func defaultName(_ path: String) -> String {
        let name = path.split(separator: "/").last.map { String($0) } ?? path
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
        return String(name[..<dot])
    }
}
