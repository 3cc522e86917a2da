package import Platform
package import RPC
import Scheduling
package import SystemPlatform

/// The control socket: connections in, answers out. It lives on the engine's loop and belongs to the engine.
///
/// Unchecked because it is used on the loop only: its callbacks are the loop's, and its callers are isolated to the
/// engine, which is pinned there.
package final class ControlService: @unchecked Sendable {
    private let listening: ListeningSocket
    private var access: AccessRules
    let limits: ConnectionLimits
    private let loop: EventLoop
    private weak let engine: Engine?
    private let table: MethodTable<ControlHandler>

    private var listeningWatch: WatchToken?
    var connections: [UInt64: ControlConnection] = [:]
    var subscriptions = EventSubscriptions()
    private var nextConnection: UInt64 = 1
    private var connectionsByUser: [UInt32: Int] = [:]
    /// Connections whose output waits without any progress, and since when.
    private var stalled: [UInt64: BootTime] = [:]
    /// Connections that have broken a limit, like others of their user before, and when they are let go.
    private var leaving: [UInt64: BootTime] = [:]
    private var breakers = LimitBreakers()
    /// Connections that have output or an end to be dealt with.
    private var touched: [UInt64] = []
    /// Descriptors ran out: accepting goes on at this time, or when a client has gone.
    private var acceptAgainAt: BootTime?
    /// What is read from one client before others have their turn.
    private var buffer = [UInt8](repeating: 0, count: 16_384)

    package init(
        _ listening: ListeningSocket, access: AccessRules, limits: ConnectionLimits, engine: Engine, loop: EventLoop
    ) {
        self.listening = listening
        self.access = access
        self.limits = limits
        self.engine = engine
        self.loop = loop
        table = ControlHandlers.table
    }

    /// Begins to accept. On the loop.
    package func start() throws(SystemError) {
        listeningWatch = try loop.watch(listening.descriptor.raw, for: .read) { [weak self] _ in
            self?.turn { service, _ in service.acceptAll() }
        }
    }

    /// Accepts no more, closes all connections and removes the socket's file, if it is still ours.
    package func close() {
        if let listeningWatch { loop.unwatch(listeningWatch) }
        listeningWatch = nil
        listening.removeIfOurs()
        for identifier in connections.keys.sorted() { close(identifier) }
    }

    /// Who may do what from now on; clients that are connected keep their level.
    package func setAccess(_ rules: AccessRules) {
        access = rules
    }

    /// Sends what can be sent at once, and closes.
    package func flushAndClose() {
        engine?.assumeIsolated { flush($0) }
        close()
    }

    package var connectionCount: Int { connections.count }

    /// The next time at which something is due: a client that does not read, or accepting again.
    var deadline: BootTime? {
        let stalls = stalled.values.min()?.advanced(by: .milliseconds(limits.outputStallMilliseconds))
        return [stalls, leaving.values.min(), acceptAgainAt].compactMap(\.self).min()
    }

    func timePassed(at now: BootTime) {
        if let again = acceptAgainAt, again <= now { acceptAgain() }
        let limit = Duration.milliseconds(limits.outputStallMilliseconds)
        let ended = stalled.filter { $0.value.advanced(by: limit) <= now }
        for identifier in ended.keys.sorted() { close(identifier) }
        for identifier in leaving.filter({ $0.value <= now }).keys.sorted() { close(identifier) }
    }

    // MARK: - Answers

    /// Answers a request; a notification, and a client that has gone, get nothing.
    func answer(_ call: ControlCall, _ body: (inout JSONWriter) throws(RPCError) -> Void) {
        guard let token = call.token, let connection = connections[call.connection] else { return }
        connection.state.complete(token, body)
        touch(call.connection)
    }

    func answer(_ call: ControlCall, error: RPCError) {
        answer(call) { (_) throws(RPCError) in throw error }
    }

    /// Answers a request that passes a limit, and closes its connection; what it asked for before is still answered.
    func refuse(_ call: ControlCall, _ error: RPCError) {
        guard let token = call.token, let connection = connections[call.connection] else { return }
        connection.state.complete(token, closingBecause: error)
        endSubscriptions(of: call.connection)
        touch(call.connection)
    }

    /// Whether somebody still waits for the answer.
    func isConnected(_ call: ControlCall) -> Bool {
        connections[call.connection] != nil
    }

    /// Remembers a wait, so that it is given up with its client; `false` when the client has gone.
    func addWait(_ number: UInt64, to connection: UInt64) -> Bool {
        guard connections[connection] != nil else { return false }
        connections[connection]?.waits.insert(number)
        return true
    }

    func removeWait(_ number: UInt64, from connection: UInt64) {
        connections[connection]?.waits.remove(number)
    }

    func user(of call: ControlCall) -> UInt32? {
        connections[call.connection]?.peer.uid
    }

    /// Writes what waits to be written, and closes what is done.
    func flush(_ engine: isolated Engine) {
        var next = 0
        while next < touched.count {
            flush(touched[next], engine)
            next += 1
        }
        touched.removeAll(keepingCapacity: true)
    }

    // MARK: - Private

    /// Lets the end of the turn look after a connection.
    func touch(_ identifier: UInt64) {
        if touched.last != identifier { touched.append(identifier) }
    }

    private func turn(_ body: @Sendable (ControlService, isolated Engine) -> Void) {
        engine?.assumeIsolated { engine in engine.turn { body(self, $0) } }
    }

    private func acceptAll() {
        for _ in 0..<64 {
            switch listening.accept() {
            case .connection(let descriptor): admit(descriptor)
            case .wouldBlock: return
            case .failed(let error) where error.isShortage:
                pauseAccepting()
                return
            case .failed: return
            }
        }
    }

    private func pauseAccepting() {
        guard let listeningWatch, let engine else { return }
        try? loop.update(listeningWatch, [])
        acceptAgainAt = engine.assumeIsolated { $0.now().boot.advanced(by: .milliseconds(500)) }
    }

    private func acceptAgain() {
        acceptAgainAt = nil
        if let listeningWatch { try? loop.update(listeningWatch, .read) }
    }

    private func admit(_ descriptor: OwnedDescriptor) {
        guard let peer = try? PeerCredentials(of: descriptor.raw) else { return }
        guard let level = access.level(of: peer) else {
            let denial = RPCError.accessDenied(
                method: ControlMethods.hello.name, needs: .read, has: nil, advice: access.advice)
            sendLast(denial, to: descriptor)
            return
        }
        let connection = ControlConnection(descriptor: descriptor, peer: peer, access: level, limits: limits)
        if let refusal = refusal(of: peer, level: level) {
            sendLast(refusal, to: descriptor)
            return
        }
        let identifier = nextConnection
        let watch = try? loop.watch(descriptor.raw, for: .read) { [weak self] _ in
            self?.turn { $0.ready(identifier, $1) }
        }
        guard let watch else { return }
        nextConnection += 1
        connection.watch = watch
        connections[identifier] = connection
        connectionsByUser[peer.uid, default: 0] += 1
    }

    private func refusal(of peer: PeerCredentials, level: AccessLevel) -> RPCError? {
        let most = level == .admin ? limits.connections : limits.connections - limits.connectionsKeptForAdmins
        if connections.count >= most {
            return .limitExceeded(.connections, "At most \(most) clients can be connected; try again later.")
        }
        if !access.isExempt(peer), connectionsByUser[peer.uid] ?? 0 >= limits.connectionsPerUser {
            return .limitExceeded(
                .connectionsPerUser, "A user can have \(limits.connectionsPerUser) connections; close one first.")
        }
        return nil
    }

    private func sendLast(_ error: RPCError, to descriptor: OwnedDescriptor) {
        var state = ConnectionState(limits: limits)
        state.refuse(with: error)
        let output = state.takeOutput()
        _ = output.withUnsafeBytes { NonblockingIO.write(descriptor.raw, $0) }
        descriptor.close()
    }

    private func ready(_ identifier: UInt64, _ engine: isolated Engine) {
        // While it goes on with what was read before nothing more is read, and its end is not looked for.
        guard let connection = connections[identifier], !connection.isContinuing else { return }
        connection.share = TurnShare()
        read(connection, identifier, engine)
        touch(identifier)
    }

    private func read(_ connection: ControlConnection, _ identifier: UInt64, _ engine: isolated Engine) {
        guard connection.state.wantsRead else {
            // Writing finds out whether a client that sends no more is still there.
            if !connection.state.wantsWrite { close(identifier) }
            return
        }
        let outcome = buffer.withUnsafeMutableBytes { NonblockingIO.read(connection.descriptor.raw, into: $0) }
        switch outcome {
        case .data(let count):
            buffer.withUnsafeBytes { connection.state.receive(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        case .endOfFile: connection.state.receiveEnd()
        case .wouldBlock: return
        case .failed:
            close(identifier)
            return
        }
        serve(connection, identifier, engine)
    }

    /// Does what the client asks for, in the order of arrival, until its share of the turn is used up.
    private func serve(_ connection: ControlConnection, _ identifier: UInt64, _ engine: isolated Engine) {
        while !connection.isContinuing, !isHeldUp(connection), let inbound = connection.state.next() {
            switch inbound {
            case .request(let token, let request):
                dispatch(request, token: token, from: connection, identifier, engine)
            case .notification(let request): dispatch(request, token: nil, from: connection, identifier, engine)
            case .closing(.notJSON), .closing(.limitExceeded):
                connection.hasBrokenLimit = true
                endSubscriptions(of: identifier)
            case .response, .closing(.endOfInput): break
            }
            if !connection.share.take() { continueLater(connection, identifier, engine) }
        }
    }

    private func continueLater(_ connection: ControlConnection, _ identifier: UInt64, _ engine: isolated Engine) {
        connection.isContinuing = true
        engine.inbox.post(
            .body { [weak self] engine in
                guard let self, let connection = self.connections[identifier] else { return }
                connection.isContinuing = false
                connection.share = TurnShare()
                self.serve(connection, identifier, engine)
                self.touch(identifier)
            })
    }

    private func dispatch(
        _ request: Request, token: RequestToken?, from connection: ControlConnection, _ identifier: UInt64,
        _ engine: isolated Engine
    ) {
        do throws(RPCError) {
            let row = try table.lookup(request, access: connection.access, advice: access.advice)
            let call = ControlCall(
                connection: identifier, token: token, access: connection.access,
                params: try ParameterReader(request.params, for: row.method))
            if row.handler.needsSimulation, !engine.options.simulation {
                throw .simulationDisabled(method: row.method.name)
            }
            if row.handler.needsStore { try engine.requireStore() }
            try row.handler.body(call, self, engine)
        } catch {
            if let token { connection.state.complete(token, error: error) }
        }
    }

    private func flush(_ identifier: UInt64, _ engine: isolated Engine) {
        guard let connection = connections[identifier], leaving[identifier] == nil else { return }
        var needs: ConnectionState.Needs
        // What waited for room in the output can be served as soon as there is some.
        repeat {
            if !write(connection, identifier, engine) {
                // Nobody reads any more; what was sent before is still done, up to its end.
                _ = connection.state.takeOutput()
                stalled[identifier] = nil
            }
            serve(connection, identifier, engine)
            needs = connection.state.takeNeeds()
        } while needs.write && stalled[identifier] == nil
        if needs.close {
            letGo(connection, identifier, engine)
        } else {
            askNext(connection, engine)
            watch(connection, for: interest(of: connection, needs))
        }
    }

    private func letGo(_ connection: ControlConnection, _ identifier: UInt64, _ engine: isolated Engine) {
        guard connection.hasBrokenLimit,
            let stays = breakers.note(connection.peer.uid, at: engine.now().boot)
        else {
            close(identifier)
            return
        }
        leaving[identifier] = stays
        watch(connection, for: [])
    }

    private func interest(of connection: ControlConnection, _ needs: ConnectionState.Needs) -> Interest {
        // A client that has gone is not looked for before all that it sent is done.
        if isHeldUp(connection), !needs.read, !needs.write { return [] }
        return ControlConnection.interest(for: needs)
    }

    /// Writes as much as goes; `false` when the client is gone.
    func write(_ connection: ControlConnection, _ identifier: UInt64, _ engine: isolated Engine) -> Bool {
        var (hasWritten, isFull, isGone) = (false, false, false)
        let descriptor = connection.descriptor.raw
        connection.state.writeOutput { bytes in
            switch NonblockingIO.write(descriptor, bytes) {
            case .data(let count):
                hasWritten = true
                connection.written += Int64(count)
                return count
            case .wouldBlock: isFull = true
            case .endOfFile, .failed: isGone = true
            }
            return 0
        }
        if hasWritten, !stalled.isEmpty { stalled[identifier] = nil }
        if isFull, stalled[identifier] == nil { stalled[identifier] = engine.now().boot }
        return !isGone
    }

    private func watch(_ connection: ControlConnection, for wanted: Interest) {
        guard let watch = connection.watch, wanted != connection.interest else { return }
        connection.interest = wanted
        try? loop.update(watch, wanted)
    }

    private func close(_ identifier: UInt64) {
        endSubscriptions(of: identifier)
        guard let connection = connections.removeValue(forKey: identifier) else { return }
        stalled[identifier] = nil
        leaving[identifier] = nil
        if let watch = connection.watch { loop.unwatch(watch) }
        connection.descriptor.close()
        let uid = connection.peer.uid
        connectionsByUser[uid] = (connectionsByUser[uid] ?? 1) > 1 ? (connectionsByUser[uid] ?? 1) - 1 : nil
        engine?.assumeIsolated { engine in
            for wait in connection.waits { engine.cancelWait(wait) }
            engine.abandonCalls(of: identifier)
        }
        if acceptAgainAt != nil { acceptAgain() }
    }
}
