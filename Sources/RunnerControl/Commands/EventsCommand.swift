import Arguments
import Platform
import RPC
import Scheduling

/// `events`: what happened lately, and with `--follow` what happens.
struct EventsCommand {
    let parsed: ParsedArguments
    let surroundings: Surroundings
    let style: Style
    let connect: () throws(ControlFailure) -> ControlConnection

    private static let follow = "--follow"
    private static let type = "--type"
    static let followCommand = "runnerctl events \(follow)"
    private static let identifier = "--identifier"

    static let description = CommandDescription(
        ["events"], summary: "Shows what happened lately, and what happens",
        description: """
            The last 4,096 events are kept while the daemon runs. With --follow the command goes on until it is \
            interrupted or its output is closed; after a restart of the daemon it subscribes again, and says that there \
            is a gap.
            """,
        options: [
            OptionDescription(follow, help: "Goes on with what happens."),
            OptionDescription(
                type, "--types", value: "TYPE[,TYPE]...", values: .commaSeparated(typeWords),
                help: "Only events of these types: \(typeWords.joined(separator: ", ")).", isRepeatable: true),
            OptionDescription(
                identifier, value: "IDENTIFIER", help: "Only events that name this task.", isRepeatable: true),
        ],
        examples: [
            ExampleDescription("\(followCommand) --type launched,ended", "Watch runs come and go:")
        ])

    private static var typeWords: [String] { EventType.allCases.map { CommandWords.kebab($0.rawValue) } }

    /// Whether the words would be those of the methods that need a connection which stays.
    static func isSubscription(_ arguments: [String]) -> Bool {
        zip(arguments, arguments.dropFirst()).contains { word, next in
            word == description.name && ["subscribe", "unsubscribe"].contains(next)
        }
    }

    static let noSubscription = UsageError(
        "A subscription ends with its connection, so there is no command for it.", suggestion: followCommand,
        help: "runnerctl events --help")

    /// Ends when all is said, or when nobody listens any more.
    func run() throws(ControlFailure) -> ControlStatus {
        let types = try types()
        let identifiers = try identifiers()
        let end = parsed.isSet(Self.follow) ? surroundings.endRequests() : nil
        var stream = EventStream(
            connection: try connect(), types: types, identifiers: identifiers)
        guard parsed.isSet(Self.follow) else {
            for item in try stream.kept() { show(item) }
            return .done
        }
        try EventFollower(surroundings: surroundings, end: end, connect: connect).follow(&stream) { items, _ in
            for item in items { show(item) }
            return true
        }
        return .done
    }

    // MARK: - Private

    private var console: any Console { surroundings.console }

    private func types() throws(ControlFailure) -> [String] {
        var types: [String] = []
        let given = parsed.values(of: Self.type).flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
        for word in given.map({ String($0) }) {
            guard let type = EventType.allCases.first(where: { CommandWords.means(word, $0.rawValue) }) else {
                let words = Self.typeWords
                throw .usage(
                    UsageError(
                        "There is no event type “\(Printable.text(word))”; there are \(words.joined(separator: ", ")).",
                        suggestion: NearestName.nearest(to: word, among: words), help: "runnerctl events --help"))
            }
            types.append(type.rawValue)
        }
        return types
    }

    private func identifiers() throws(ControlFailure) -> [String] {
        let identifiers = parsed.values(of: Self.identifier)
        for identifier in identifiers {
            guard let problem = MethodCommand.problem(ofIdentifier: identifier, typedAs: Self.identifier) else {
                continue
            }
            throw .usage(UsageError(problem, help: "runnerctl events --help"))
        }
        return identifiers
    }

    private func show(_ item: EventStream.Item) {
        guard !console.isClosed else { return }
        switch (item, parsed.isSet(ControlDescription.json)) {
        case (.event(let event), true): console.write(JSONLine.text(event))
        case (.event(let event), false):
            console.write(EventText(style: style, now: surroundings.wallTime()).line(of: event))
        case (.gap(let gap), true): console.write(gap.json)
        case (.gap(let gap), false): console.write(style.paint("--- \(gap.sentence) ---", .yellow) + "\n")
        }
    }
}
