import Arguments
import RPC

/// `call`: any method, with params as they are typed.
struct RawCall {
    let parsed: ParsedArguments
    let surroundings: Surroundings
    let connect: () throws(ControlFailure) -> ControlConnection

    func run() throws(ControlFailure) -> ControlStatus {
        let name = parsed.positional("METHOD") ?? ""
        let params = try params()
        let connection = try connect()
        // Said whatever the answer is: who asks for the one or the other wants events.
        defer { if Self.subscriptions.contains(name) { advise() } }
        let result =
            Self.mayWait(name)
            ? try connection.call(name, params: params) : try connection.callBriefly(name, params: params)
        let isJSON = parsed.isSet(ControlDescription.json)
        surroundings.console.write(isJSON ? JSONLine.text(result) : PrettyJSON.text(result))
        return .done
    }

    // MARK: Private

    private static let subscriptions = [ControlMethods.eventsSubscribe.name, ControlMethods.eventsUnsubscribe.name]

    /// Whether the answer may take as long as a run does. Nothing is known of a method that only the daemon knows.
    private static func mayWait(_ name: String) -> Bool {
        guard let method = ControlMethods.all.first(where: { $0.name == name }) else { return true }
        return method.parameters.contains { $0.name == "wait" || $0.name == "timeoutSeconds" }
    }

    /// Nil for none at all, which `null` means, too.
    private func params() throws(ControlFailure) -> [UInt8]? {
        guard let text = parsed.positional("PARAMS") else { return nil }
        let bytes = Array(text.utf8)
        let kind: JSONValue.Kind
        do throws(JSONSyntaxError) {
            kind = try JSONDocument.parse(bytes, allowsFragments: true).root.kind
        } catch {
            throw misuse("PARAMS is no JSON: \(error.message)")
        }
        switch kind {
        case .null: return nil
        case .object, .array: return bytes
        default:
            throw misuse(
                "PARAMS must be an object, such as {\"run\": 1}, or an array of values by position, such as [1]; "
                    + "it is “\(Printable.text(text))”.")
        }
    }

    private func advise() {
        surroundings.console.complain(
            "runnerctl: A subscription ends with its connection, as this one has; "
                + "“\(EventsCommand.followCommand)” shows events as they come.")
    }

    private func misuse(_ message: String) -> ControlFailure {
        .usage(UsageError(message, help: "runnerctl call --help"))
    }
}
