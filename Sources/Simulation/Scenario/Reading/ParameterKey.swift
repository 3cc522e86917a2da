import Plugins
import Scheduling

/// A figure of a policy by its name: the one list from which they are read, and which `docs/scenarios.md` shows.
struct ParameterKey<Parameters>: Sendable {
    /// Where it is kept, and what it may be.
    enum Place: Sendable {
        case windows(any WritableKeyPath<Parameters, WindowSource> & Sendable)
        case seed(any WritableKeyPath<Parameters, UInt64> & Sendable)
        case duration(any WritableKeyPath<Parameters, Duration> & Sendable, ClosedRange<Duration>)
        case number(any WritableKeyPath<Parameters, Double> & Sendable, ClosedRange<Double>)
        case count(any WritableKeyPath<Parameters, Int> & Sendable, ClosedRange<Int64>)
        case flag(any WritableKeyPath<Parameters, Bool> & Sendable)
    }

    let name: String
    let place: Place
    /// Sentences.
    let help: String

    init(_ name: String, _ place: Place, _ help: String) {
        self.name = name
        self.place = place
        self.help = help
    }

    /// Takes over the value that a dictionary has for it.
    func read(_ reader: KeyedReader, into parameters: inout Parameters) {
        switch place {
        case .windows(let path): set(&parameters, path, reader.word(name, as: WindowSource.self))
        case .seed(let path): set(&parameters, path, reader.integer(name, in: 0...Int64.max).map { UInt64($0) })
        case .duration(let path, let range):
            let example = DurationText.format(parameters[keyPath: path])
            set(&parameters, path, reader.duration(name, in: range, example: example))
        case .number(let path, let range): set(&parameters, path, reader.number(name, in: range))
        case .count(let path, let range): set(&parameters, path, reader.integer(name, in: range).map { Int($0) })
        case .flag(let path): set(&parameters, path, reader.boolean(name))
        }
    }

    /// The value as it would be written in a file.
    func text(of parameters: Parameters) -> String {
        switch place {
        case .windows(let path): "\"\(parameters[keyPath: path].rawValue)\""
        case .seed(let path): "\(parameters[keyPath: path])"
        case .duration(let path, _): "\"\(DurationText.format(parameters[keyPath: path]))\""
        case .number(let path, _): Self.plain(parameters[keyPath: path])
        case .count(let path, _): "\(parameters[keyPath: path])"
        case .flag(let path): "\(parameters[keyPath: path])"
        }
    }

    /// What its value may be, in words.
    var type: String {
        switch place {
        case .windows: "word"
        case .seed: "whole number"
        case .duration: "duration"
        case .number(_, let range): "\(Self.plain(range.lowerBound)) to \(Self.plain(range.upperBound))"
        case .count(_, let range): "\(range.lowerBound) to \(range.upperBound)"
        case .flag: "boolean"
        }
    }

    // MARK: Private

    private func set<Value>(
        _ parameters: inout Parameters, _ path: WritableKeyPath<Parameters, Value>, _ value: Value?
    ) {
        if let value { parameters[keyPath: path] = value }
    }

    private static func plain(_ number: Double) -> String {
        Int(exactly: number).map { "\($0)" } ?? "\(number)"
    }
}
