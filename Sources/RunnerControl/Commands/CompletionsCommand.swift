import Arguments
import Platform
import RPC
import Scheduling

/// `completions`: the script of a shell, and the words for which that script asks.
struct CompletionsCommand {
    let surroundings: Surroundings

    func run(_ parsed: ParsedArguments) throws(ControlFailure) -> ControlStatus {
        let name = parsed.positional("SHELL") ?? ""
        guard let shell = CompletionShell(rawValue: name) else {
            let names = CompletionShell.allCases.map(\.rawValue)
            throw .usage(
                UsageError(
                    "SHELL must be one of \(names.joined(separator: ", ")), not “\(Printable.text(name))”.",
                    suggestion: NearestName.nearest(to: name, among: names), help: "runnerctl completions --help"))
        }
        let words = parsed.positionals("WORD")
        surroundings.console.write(words.isEmpty ? shell.script : answer(to: words, shell))
        return .done
    }

    // MARK: Private

    private func answer(to words: [String], _ shell: CompletionShell) -> String {
        let (words, cut) = shell == .bash ? Self.joined(words) : (words, 0)
        switch Completer(program: ControlDescription.program, names: names).complete(words) {
        case .files: return CompletionShell.files + "\n"
        case .words(let words):
            return words.map { word in
                let rest = Completer.Word(text: String(word.text.dropFirst(cut)), summary: word.summary)
                return shell.line(rest) + "\n"
            }.joined()
        }
    }

    /// Bash tears words apart at `=` and `:`, and replaces only what follows the last of them: how much is in front of it.
    private static func joined(_ words: [String]) -> (words: [String], cut: Int) {
        var joined: [String] = []
        var isGlued = false
        var cut = 0
        for (index, word) in words.enumerated() {
            let isBreak = word == "=" || word == ":"
            if (isBreak || isGlued), index > 0 {
                let before = joined.removeLast()
                cut = before.count + (isBreak ? 1 : 0)
                joined.append(before + word)
            } else {
                cut = 0
                joined.append(word)
            }
            isGlued = isBreak
        }
        return (joined, cut)
    }

    /// The names that a daemon lists; none when there is none, or when it does not answer soon.
    private func names(of list: String, _ socketOptions: [String]) -> [String] {
        let deadline = SystemClock.milliseconds(.awake) + surroundings.completionTime
        guard let list = NamedList(rawValue: list),
            case .run(let parsed) = try? ArgumentParser(ControlDescription.program).parse(socketOptions + ["pending"])
        else { return [] }
        let location = SocketLocation(variable: surroundings.variable, uid: surroundings.user)
        do throws(ControlFailure) {
            let search = try SocketSearch(parsed, location: location, appIsParameter: true)
            let connection = ControlConnection(
                try search.connect(surroundings.connectAtOnce), answerTime: surroundings.completionTime)
            return try list.names(from: connection, until: deadline)
        } catch {
            return []
        }
    }
}
