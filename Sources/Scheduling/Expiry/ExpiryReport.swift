/// What came out when a handler was expired many times.
public struct ExpiryReport: Hashable, Sendable {
    /// The task.
    public let identifier: TaskIdentifier
    /// How many lives of the handler there were.
    public package(set) var trials: Int
    /// In how many of them it was expired, each time at another moment.
    public package(set) var moments: Int
    /// Whether there were more moments than lives that were allowed, so that some were not tried.
    public package(set) var isCutOff = false
    /// The trial that alone was asked for; `nil` when all were.
    package var only: ExpiryTrial?
    /// How long all of them took, in real time.
    public package(set) var duration: Duration
    /// The rules that were broken, each once, in the order in which they were found.
    public package(set) var findings: [ExpiryFinding]
    /// The command that shows a trial again; the last `TRIAL` in it stands for the trial.
    package var reproduction: String

    package init(_ identifier: TaskIdentifier, reproduction: String) {
        self.identifier = identifier
        self.reproduction = reproduction
        trials = 0
        moments = 0
        duration = .zero
        findings = []
    }

    /// How many moments were tried in a second.
    public var momentsPerSecond: Double {
        let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
        return seconds > 0 ? Double(moments) / seconds : 0
    }

    /// Whether it says anything of the handler: it was expired, or asked to live without that.
    package var provesSomething: Bool { moments > 0 || only?.moment == .never }

    /// What shows a trial again.
    package func command(for trial: ExpiryTrial) -> String {
        reproduction.replacingLast("TRIAL", with: trial.description)
    }

    /// Takes in what a trial found: the same rule is told once.
    package mutating func add(_ found: [ExpiryFinding]) {
        for finding in found {
            if let old = findings.firstIndex(where: { $0.kind == finding.kind }) {
                findings[old].count += 1
            } else {
                findings.append(finding)
            }
        }
    }
}

extension ExpiryReport: CustomStringConvertible {
    /// A line for the whole, and for each finding what was seen, how to mend it and how to see it again.
    public var description: String {
        let lives = CountedWord.text(trials, "life", "lives")
        var tried = "\(identifier) was expired at \(CountedWord.text(moments, "moment")) in \(lives)"
        if moments == 0, only?.moment == .never { tried = "\(identifier) was not expired in \(lives)" }
        if isCutOff { tried += ", and there are more moments than that" }
        guard !findings.isEmpty else {
            if provesSomething { return "\(tried): no rule was broken." }
            if let only { return "\(tried): it has no moment \(only) now; explore all of them." }
            return "\(tried): there was no moment to expire it at, since it was over at once."
        }
        let lines = findings.map { finding in
            """
            \(finding.kind.rawValue), in \(finding.count) of them: \(finding.message)
              fix: \(finding.fix)
              see it again: \(command(for: finding.trial))
            """
        }
        return (["\(tried):"] + lines).joined(separator: "\n")
    }
}

extension String {
    /// With the text in place of the last such word; without Foundation.
    fileprivate func replacingLast(_ word: String, with text: String) -> String {
        var start = endIndex
        while start > startIndex {
            start = index(before: start)
            guard self[start...].hasPrefix(word) else { continue }
            return self[..<start] + text + self[index(start, offsetBy: word.count)...]
        }
        return self
    }
}
