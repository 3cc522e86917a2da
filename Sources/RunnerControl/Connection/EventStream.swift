import Platform
import RPC
import Scheduling

/// The events of a daemon, one after the other, also over the ends of connections and daemons.
struct EventStream {
    enum Item {
        /// The params of an `event` notification.
        case event(JSONValue)
        case gap(Gap)
    }

    /// Events are missing here.
    enum Gap: String {
        /// The daemon was restarted, and took what was not read yet with it.
        case restarted
        /// The daemon does not keep the events any more that come next.
        case forgotten

        var sentence: String {
            switch self {
            case .restarted: "the daemon was restarted; events may be missing here"
            case .forgotten: "the daemon has forgotten the events that come here"
            }
        }

        /// For programs: one line that no event looks like.
        var json: String { #"{"type":"gap","reason":"\#(rawValue)"}"# + "\n" }
    }

    private(set) var connection: ControlConnection
    private let types: [String]
    private let identifiers: [String]
    /// Whether it begins with what happens next, and not with what is kept.
    private let startsNow: Bool
    /// The daemon's life and the event up to which everything is known.
    private var place: (instance: String, sequence: Int64)?
    private var subscription: Int64?

    init(connection: ControlConnection, types: [String], identifiers: [String], startsNow: Bool = false) {
        self.connection = connection
        self.types = types
        self.identifiers = identifiers
        self.startsNow = startsNow
    }

    /// What to wait for before `next` has more.
    var awaited: BlockingIO.Awaited { connection.awaited }
    /// Whether `next` has more already.
    var hasMore: Bool { connection.hasEvents }

    /// Everything that is there now; the stream ends with it.
    mutating func kept() throws(ControlFailure) -> [Item] {
        var items = try subscribe()
        var writer = JSONWriter()
        writer.object { $0.member("subscription", subscription) }
        // What the daemon has kept comes before this is answered.
        do throws(ControlFailure) {
            _ = try connection.callBriefly(ControlMethods.eventsUnsubscribe.name, params: writer.bytes)
        } catch {
            // It may have ended with an overflow already.
            guard case .refused = error else { throw error }
        }
        for event in try connection.takeEvents() ?? [] { items.append(.event(event)) }
        return items
    }

    /// What has come; nil when the connection is at its end.
    mutating func next() throws(ControlFailure) -> [Item]? {
        var items: [Item] = []
        if subscription == nil { items = try subscribe() }
        guard let events = try connection.takeEvents() else { return nil }
        for event in events where event["subscription"]?.integer == subscription {
            if let sequence = event["sequence"]?.integer { place?.sequence = sequence }
            if event["type"]?.string == EventType.overflow.rawValue {
                subscription = nil
                // What came before is not lost with a connection that ends now; the failure comes again at the next call.
                let more = (try? next()) ?? nil
                return items + (more ?? [])
            }
            items.append(.event(event))
        }
        return items
    }

    /// Another connection, to the same daemon or to its next life.
    mutating func goOn(with connection: ControlConnection) {
        self.connection = connection
        subscription = nil
    }

    // MARK: - Private

    /// Subscribes after what is known; says what is missing.
    private mutating func subscribe() throws(ControlFailure) -> [Item] {
        var items: [Item] = []
        let known = place
        if startsNow, known == nil {
            let result = try connection.callBriefly(ControlMethods.eventsSubscribe.name, params: params)
            subscription = result["subscription"]?.integer
            place = (result["instance"]?.string ?? "", result["sequence"]?.integer ?? 0)
            return []
        }
        let instance = try connection.callBriefly(ControlMethods.hello.name)["instance"]?.string ?? ""
        if known?.instance != instance {
            if known != nil { items.append(.gap(.restarted)) }
            place = (instance, 0)
        }
        while true {
            do throws(ControlFailure) {
                let result = try connection.callBriefly(ControlMethods.eventsSubscribe.name, params: params)
                subscription = result["subscription"]?.integer
                return items
            } catch {
                guard case .refused(let refusal) = error, refusal.kind == Refusal.Kind.resyncRequired.rawValue,
                    let oldest = refusal.data?["oldest"]?.integer, let instance = refusal.data?["instance"]?.string
                else { throw error }
                if known?.instance == instance { items.append(.gap(.forgotten)) }
                place = (instance, oldest)
            }
        }
    }

    private var params: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            if !types.isEmpty { writer.member("types", strings: types) }
            if !identifiers.isEmpty { writer.member("identifiers", strings: identifiers) }
            guard let place else { return }
            writer.key("since")
            writer.object { writer in
                writer.member("instance", place.instance)
                writer.member("sequence", place.sequence)
            }
        }
        return writer.bytes
    }
}
