import RPC
import Scheduling

/// What keeps the answers of one client within bounds, while they are not in its output yet.
extension ControlService {
    /// Questions of a client that wait; with more of them nothing else of it is served.
    private static let waitingQuestions = 64

    /// Whether what has come has to wait for answers to what came before.
    func isHeldUp(_ connection: ControlConnection) -> Bool {
        connection.heldBytes >= limits.outputBytes || connection.questions.count >= Self.waitingQuestions
    }

    /// Asks the store for a client. Its questions go one at a time and wait for room in its output, so that neither its
    /// answers fill the memory nor other clients wait behind all of them.
    func ask<Value: Sendable>(
        _ call: ControlCall, _ engine: isolated Engine,
        _ question: @escaping @Sendable (any RequestStore) throws(StoreFailure) -> Value,
        _ answer: @escaping @Sendable (Result<Value, StoreFailure>, isolated Engine) -> Void
    ) {
        guard let connection = connections[call.connection] else { return }
        connection.questions.append { engine in
            engine.ask(isWanted: { self.isConnected(call) }, question) { result, engine in
                answer(result, engine)
                guard let connection = self.connections[call.connection] else { return }
                connection.isAsking = false
                self.askNext(connection, engine)
                self.touch(call.connection)
            }
        }
        askNext(connection, engine)
    }

    func askNext(_ connection: ControlConnection, _ engine: isolated Engine) {
        guard !connection.isAsking, !connection.questions.isEmpty, connection.state.outputCount < limits.outputBytes
        else { return }
        connection.isAsking = true
        connection.questions.removeFirst()(engine)
    }

    /// Counts an answer that waits for a commit; with too much of them waiting, no more requests are served.
    func hold(_ bytes: Int, for call: ControlCall) {
        connections[call.connection]?.heldBytes += bytes
    }

    func release(_ bytes: Int, for call: ControlCall) {
        connections[call.connection]?.heldBytes -= bytes
        touch(call.connection)
    }
}
