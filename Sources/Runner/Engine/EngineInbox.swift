import Platform
import Scheduling
import SystemPlatform

/// What other threads leave for the engine.
final class EngineInbox: Sendable {
    enum Message: Sendable {
        case event(Event)
        case committed(Result<Void, StoreFailure>)
        case body(@Sendable (isolated Engine) -> Void)
    }

    private let mailbox: LoopMailbox<Message>
    private let recipient: Recipient

    /// Unchecked because it is set once, before anything is posted, and read on the loop only.
    private final class Recipient: @unchecked Sendable {
        weak var engine: Engine?
    }

    var engine: Engine? {
        get { recipient.engine }
        set { recipient.engine = newValue }
    }

    init(on loop: EventLoop) throws(SystemError) {
        let recipient = Recipient()
        self.recipient = recipient
        mailbox = try LoopMailbox(on: loop) { messages in
            recipient.engine?.assumeIsolated { $0.receive(messages) }
        }
    }

    func post(_ event: Event) {
        mailbox.post(.event(event))
    }

    func post(_ message: Message) {
        mailbox.post(message)
    }
}

extension Engine {
    func receive(_ messages: [EngineInbox.Message]) {
        turn { engine in
            for message in messages {
                switch message {
                case .event(let event): engine.feedNow(event)
                case .committed(let result): engine.committed(result)
                case .body(let body): body(engine)
                }
            }
        }
    }
}
