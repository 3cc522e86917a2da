package import Scheduling

/// The parameters of `events.subscribe`.
extension ParameterReader {
    /// A place in the stream of events of one instance.
    package struct EventPlace: Hashable, Sendable {
        package var instance: String
        package var sequence: Int64
    }

    /// The types that are asked for; `nil` is all.
    package func eventTypes() throws(RPCError) -> Set<EventType>? {
        guard let names = strings("types") else { return nil }
        var types: Set<EventType> = []
        for name in names {
            guard let type = EventType(rawValue: name) else { throw unknownType(name) }
            types.insert(type)
        }
        return types
    }

    /// The tasks that are asked for; `nil` is all.
    package func eventIdentifiers() throws(RPCError) -> Set<TaskIdentifier>? {
        guard let names = strings("identifiers") else { return nil }
        var identifiers: Set<TaskIdentifier> = []
        for name in names {
            do throws(Refusal) { identifiers.insert(try TaskIdentifier(name)) } catch { throw RPCError(error) }
        }
        return identifiers
    }

    package func eventPlace() throws(RPCError) -> EventPlace? {
        do throws(InvalidParameters) {
            guard let since = try object("since", Self.placeDescriptions) else { return nil }
            return EventPlace(instance: since.string("instance") ?? "", sequence: since.integer("sequence") ?? 0)
        } catch {
            throw error.rpcError
        }
    }

    private static let placeDescriptions = [
        ParameterDescription("instance", .string, required: true),
        ParameterDescription("sequence", .integer, required: true, bounds: 0...Double.infinity),
    ]

    private func unknownType(_ name: String) -> RPCError {
        let all = EventType.allCases.map(\.rawValue)
        let hint =
            NearestName.nearest(to: name, among: all).map { "did you mean '\($0)'?" }
            ?? "there are " + all.joined(separator: ", ") + "."
        return InvalidParameters(
            member: "types", expected: ParameterType.enumeration(all).expectation,
            message: "There is no event type \(QuotedName(name)); \(hint)"
        ).rpcError
    }
}
