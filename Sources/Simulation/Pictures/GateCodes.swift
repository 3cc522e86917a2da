/// Short names of the gates that occur in a chart, where there is no room for the whole one: `LPM` for `lowPowerMode`.
struct GateCodes {
    /// In the order of the gates' names.
    let gates: [String]
    private let codes: [String: String]
    private let letters: [String: Character]

    init(_ chart: DayChart) {
        var names: Set<String> = []
        for device in chart.devices {
            for task in device.tasks {
                for request in task.requests {
                    for hold in request.holds { names.insert(hold.gate) }
                    if request.floor != nil { names.insert(Self.floor) }
                }
            }
        }
        gates = names.sorted()
        var taken: Set<String> = []
        var codes: [String: String] = [:]
        var takenLetters: Set<Character> = []
        var letters: [String: Character] = [:]
        for gate in gates {
            let code = Self.initials(gate)
            var tried = code
            var number = 2
            while !taken.insert(tried).inserted {
                tried = "\(code)\(number)"
                number += 1
            }
            codes[gate] = tried
            let own = gate.lowercased().filter { $0.isASCII && $0.isLetter }
            let free = (own + "abcdefghijklmnopqrstuvwxyz").first { !takenLetters.contains($0) }
            letters[gate] = free ?? "?"
            if let free { takenLetters.insert(free) }
        }
        self.codes = codes
        self.letters = letters
    }

    /// The gate that closes until a request's floor.
    static let floor = "earliestBeginDate"

    func code(_ gate: String) -> String {
        codes[gate] ?? Self.initials(gate)
    }

    /// One letter, for a cell of a terminal.
    func letter(_ gate: String) -> Character {
        letters[gate] ?? "?"
    }

    /// The first letters of a name's words, or the first two of its only word.
    private static func initials(_ gate: String) -> String {
        let plain = gate.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        guard let first = plain.first else { return "?" }
        let rest = plain.dropFirst()
        let capitals = rest.filter(\.isUppercase)
        if !capitals.isEmpty { return String(first).uppercased() + capitals.prefix(3) }
        return String(first).uppercased() + rest.prefix(1)
    }
}
