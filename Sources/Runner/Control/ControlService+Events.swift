import RPC
import Scheduling

/// Subscribers of the control socket.
extension ControlService {
    var hasSubscriptions: Bool { !subscriptions.isEmpty }

    /// Refuses one subscription too many, and says `false` then.
    func admitsSubscription(_ call: ControlCall) -> Bool {
        guard subscriptions.count(of: call.connection) >= limits.subscriptions else { return true }
        refuse(call, .limitExceeded(.subscriptions, "A connection can have \(limits.subscriptions) subscriptions."))
        return false
    }

    /// Registers a subscriber and answers, then sends what it has missed.
    ///
    /// It is called where the events of everything that the snapshot shows have been told, and none that came later.
    func subscribe(
        _ call: ControlCall, _ filter: EventFilter, since: ParameterReader.EventPlace?, snapshot: [UInt8]?,
        _ engine: isolated Engine
    ) {
        guard let connection = connections[call.connection] else { return }
        let (sequence, oldest) = (engine.events.sequence, engine.events.oldestPlace)
        if let since, !(oldest...sequence).contains(since.sequence) {
            answer(
                call,
                error: .resyncRequired(
                    since: since.sequence, instance: engine.instance, sequence: sequence, oldest: oldest))
            return
        }
        let number = subscriptions.add(EventSubscription(connection: call.connection, filter: filter))
        connection.state.isSubscribed = true
        answer(call) { writer in
            writer.object { writer in
                writer.member("subscription", number)
                writer.member("instance", engine.instance)
                writer.member("sequence", sequence)
                if let snapshot {
                    writer.key("snapshot")
                    writer.raw(snapshot)
                }
            }
        }
        guard let since else { return }
        // A part of the answer, however long: only what comes later can be too much for a slow reader.
        for event in engine.events.events(after: since.sequence) where filter.matches(event) {
            send(event.members, as: number, to: connection)
        }
    }

    /// Ends a subscription of the same connection; `false` when it has none of this number.
    func unsubscribe(_ number: Int64, _ call: ControlCall) -> Bool {
        guard subscriptions[number]?.connection == call.connection else { return false }
        end(number)
        return true
    }

    /// Sends an event to all who want it; it is written once.
    func deliver(_ event: RunnerEvent, _ engine: isolated Engine) {
        var written: [UInt8]?
        for number in subscriptions.numbers {
            guard let subscription = subscriptions[number], subscription.filter.matches(event),
                let connection = connections[subscription.connection]
            else { continue }
            let members = written ?? event.members
            written = members
            if hasRoom(for: members.count, in: number, connection, engine) {
                send(members, as: number, to: connection)
                let end = connection.written + Int64(connection.state.outputCount)
                subscriptions[number]?.add(members.count, endingAt: end)
            } else {
                send(Self.overflow(before: event), as: number, to: connection)
                end(number)
            }
            touch(subscription.connection)
        }
    }

    /// Forgets the subscriptions of a connection that ends.
    func endSubscriptions(of identifier: UInt64) {
        subscriptions.removeAll(of: identifier)
        connections[identifier]?.state.isSubscribed = false
    }

    // MARK: - Private

    private func end(_ number: Int64) {
        guard let identifier = subscriptions[number]?.connection else { return }
        subscriptions.remove(number)
        connections[identifier]?.state.isSubscribed = subscriptions.count(of: identifier) > 0
    }

    private func hasRoom(
        for count: Int, in number: Int64, _ connection: ControlConnection, _ engine: isolated Engine
    ) -> Bool {
        if subscriptions[number]?.hasRoom(for: count, written: connection.written) == true { return true }
        // One turn may tell of more than a queue holds; a client that reads gets it all.
        guard let identifier = subscriptions[number]?.connection, write(connection, identifier, engine) else {
            return false
        }
        return subscriptions[number]?.hasRoom(for: count, written: connection.written) == true
    }

    private func send(_ members: [UInt8], as number: Int64, to connection: ControlConnection) {
        connection.state.notify(ControlMethods.event.name) { writer in
            writer.beginObject()
            writer.member("subscription", number)
            writer.members(raw: members)
            writer.endObject()
        }
    }

    /// The last event of a subscription; `since` its number continues where it ended.
    private static func overflow(before event: RunnerEvent) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("sequence", event.sequence - 1)
        writer.member("at", date: event.at.milliseconds)
        writer.member("type", EventType.overflow.rawValue)
        writer.key("data")
        writer.object { _ in }
        writer.endObject()
        return Array(writer.bytes.dropFirst().dropLast())
    }
}
