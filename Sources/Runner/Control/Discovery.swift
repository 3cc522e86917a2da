import Platform
import RPC

/// What the control socket says of its methods, as the table that serves them has it.
enum Discovery {
    /// The names of the methods.
    static let capabilities = ControlHandlers.table.rows.map(\.method.name)

    /// The OpenRPC document; made when somebody asks for it first.
    static let document = OpenRPCDocument(
        title: "Runner", summary: "The control socket of Runner: JSON-RPC 2.0, one text a line, over a Unix socket.",
        version: RunnerVersion.text, methods: ControlHandlers.table.rows.map(\.method),
        notifications: ControlMethods.notifications
    ).bytes
}
