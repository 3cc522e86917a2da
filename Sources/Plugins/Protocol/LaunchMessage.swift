package import RPC
package import Scheduling

/// `task.launch`: start a handler. The answer, an `EmptyMessage`, says that it was entered.
package struct LaunchMessage: PluginMessage {
    package var run: RunIdentifier
    package var identifier: TaskIdentifier
    package var kind: TaskKind
    package var origin: RunOrigin
    package var attempt: Int
    /// Counts from the handler's entry; `nil` is without a limit.
    package var budget: Duration?
    package var title: String?
    package var subtitle: String?
    package var recovered: RecoveryCause?

    package init(_ order: LaunchOrder) {
        run = order.run
        identifier = order.identifier
        kind = order.kind
        origin = order.origin
        attempt = order.attempt
        budget = order.budget
        title = order.title
        subtitle = order.subtitle
        recovered = order.recovered
    }

    package func order(for app: AppIdentifier) -> LaunchOrder {
        LaunchOrder(
            run: run, identifier: identifier, app: app, kind: kind, origin: origin, attempt: attempt, budget: budget,
            title: title, subtitle: subtitle, recovered: recovered)
    }

    package static let members = [
        ParameterDescription("run", .integer, required: true, bounds: 1...Double.infinity),
        ParameterDescription("identifier", .string, required: true),
        ParameterDescription("kind", .enumeration(TaskKind.allCases.map(\.rawValue)), required: true),
        ParameterDescription("origin", .enumeration(RunOrigin.allCases.map(\.rawValue)), required: true),
        ParameterDescription("attempt", .integer, required: true, bounds: 1...Double.infinity),
        ParameterDescription("budgetSeconds", .number, bounds: 0...Double.infinity),
        ParameterDescription("title", .string),
        ParameterDescription("subtitle", .string),
        ParameterDescription("recovered", .string),
    ]

    package init(reading reader: ParameterReader) throws(RPCError) {
        run = reader.runIdentifier() ?? RunIdentifier(0)
        identifier = try reader.taskIdentifier()
        kind = reader.word("kind") ?? .appRefresh
        origin = reader.word("origin") ?? .scheduled
        attempt = Int(clamping: reader.integer("attempt") ?? 1)
        budget = reader.boundedDuration("budgetSeconds")
        title = reader.string("title")
        subtitle = reader.string("subtitle")
        recovered = reader.string("recovered").flatMap(RecoveryCause.init)
    }

    package func writeMembers(into writer: inout JSONWriter) {
        writer.member("run", run.number)
        writer.member("identifier", identifier.text)
        writer.member("kind", kind.rawValue)
        writer.member("origin", origin.rawValue)
        writer.member("attempt", attempt)
        writer.member("budgetSeconds", seconds: budget?.wholeMilliseconds)
        writer.member("title", title)
        writer.member("subtitle", subtitle)
        writer.member("recovered", recovered?.rawValue)
    }
}
