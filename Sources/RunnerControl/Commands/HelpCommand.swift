import Arguments
import RPC
import Scheduling

/// `help`: the page of a command, and what its method is on the socket.
struct HelpCommand {
    let console: any Console

    func run(_ words: [String]) throws(ControlFailure) -> ControlStatus {
        let help = HelpText(ControlDescription.program)
        guard !words.isEmpty else {
            console.write(help.text())
            return .done
        }
        if let command = MethodCommand.all.first(where: { $0.words == words || [$0.method.name] == words }) {
            console.write(help.text(for: command.description) + "\n" + MethodText.text(of: command.method))
            return .done
        }
        // Some methods are of use to programs only.
        if words.count == 1, let method = ControlMethods.all.first(where: { $0.name == words[0] }) {
            console.write(MethodText.text(of: method))
            return .done
        }
        if let command = ControlDescription.program.command(words) {
            console.write(help.text(for: command))
            return .done
        }
        let name = words.joined(separator: " ")
        let names = ControlDescription.program.commands.map(\.name) + ControlMethods.all.map(\.name)
        throw .usage(
            UsageError(
                "There is no command and no method “\(Printable.text(name))”.",
                suggestion: NearestName.nearest(to: name, among: names).map { "runnerctl help \($0)" },
                help: "runnerctl --help"))
    }
}
