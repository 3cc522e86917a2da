/// One end of a JSON-RPC connection, without the descriptor: bytes go in, requests come out, replies become bytes.
///
/// The owner reads while `wantsRead`, gives what it read to `receive`, and calls `next` until it returns nil. It writes
/// with `writeOutput` and calls `next` again, because a full output makes `next` wait. It closes the descriptor when
/// `shouldClose`; `takeNeeds` tells all three at once. What comes out does not depend on how the stream was cut into reads.
package struct ConnectionState: Sendable {
    package enum Inbound: Sendable {
        /// Answer it with `complete`, once, now or later.
        case request(RequestToken, Request)
        /// Never answered.
        case notification(Request)
        /// The answer to a request of ours; all other answers are dropped.
        case response(Response)
        /// Nothing more is read. What waits for an answer still gets it, unless the reason is `unanswered`.
        case closing(ClosingReason)
    }

    package enum ClosingReason: Hashable, Sendable {
        case endOfInput
        case notJSON
        case limitExceeded(ConnectionLimits.Name)
    }

    private enum Phase {
        /// Reads and answers; can transition to any other.
        case open
        /// The peer has finished; what it sent is still being read; can transition to any other.
        case inputEnded
        /// All was read; closes once everything is answered and written and nothing is subscribed to; stays.
        case ended
        /// Reads nothing more, and closes once everything is answered and written; stays.
        case draining
        /// Closes once the output is written; stays.
        case closing
    }

    package let limits: ConnectionLimits

    private var phase = Phase.open
    private var framer: LineFramer
    private var output = OutputBuffer()
    private var pending = PendingReplies()
    private var batches: [UInt32: BatchReply] = [:]
    private var nextBatch: UInt32 = 0
    /// Found in a batch and not yet handed out, the next one last.
    private var waiting: [Inbound] = []
    /// Our own requests that have no answer yet.
    private var asked: Set<Int64> = []
    private var lastAsked: Int64 = 0
    /// Whether the peer still listens when it has said all.
    package var isSubscribed = false

    package init(limits: ConnectionLimits = ConnectionLimits()) {
        self.limits = limits
        framer = LineFramer(limit: limits.lineBytes, depth: limits.depth)
    }

    // MARK: Input

    package var wantsRead: Bool {
        switch phase {
        case .open: output.count < limits.outputBytes && framer.bufferedCount <= limits.lineBytes
        case .inputEnded, .ended, .draining, .closing: false
        }
    }

    package mutating func receive(_ bytes: UnsafeRawBufferPointer) {
        switch phase {
        case .open: framer.append(bytes)
        case .inputEnded, .ended, .draining, .closing: break
        }
    }

    package mutating func receive(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { receive($0) }
    }

    /// The peer sends no more; it may still read.
    package mutating func receiveEnd() {
        switch phase {
        case .open: phase = .inputEnded
        case .inputEnded, .ended, .draining, .closing: break
        }
    }

    /// What there is to do next, in the order of arrival; nil when there is nothing until more is read or written.
    package mutating func next() -> Inbound? {
        if let inbound = waiting.popLast() { return inbound }
        while output.count < limits.outputBytes {
            switch phase {
            case .ended, .draining, .closing: return nil
            case .open, .inputEnded: break
            }
            switch framer.next() ?? (phase == .inputEnded ? framer.finish() : nil) {
            case .line(let line):
                if let inbound = read(line) { return inbound }
            case .notJSON:
                let error = RPCError.parseError("Each line must be a JSON object or array; this connection is closed.")
                return close(answering: error, as: .draining, because: .notJSON)
            case .tooLong:
                let error = RPCError.limitExceeded(.line, "A line may have \(limits.lineBytes) bytes at most.")
                return close(answering: error, as: .draining, because: .limitExceeded(.line))
            case .tooDeep:
                let error = RPCError.limitExceeded(
                    .depth, "Arrays and objects may nest \(limits.depth) levels deep at most.")
                return close(answering: error, as: .draining, because: .limitExceeded(.depth))
            case nil:
                guard phase == .inputEnded else { return nil }
                phase = .ended
                return .closing(.endOfInput)
            }
        }
        return nil
    }

    // MARK: Replies

    /// Requests that wait for their reply.
    package var unansweredCount: Int { pending.count }

    /// Answers a request with what `body` writes, which is one value, or with the error that it throws.
    ///
    /// Returns false when the request has been answered before.
    @discardableResult
    package mutating func complete(
        _ token: RequestToken, _ body: (inout JSONWriter) throws(RPCError) -> Void
    ) -> Bool {
        guard let entry = pending.remove(token) else { return false }
        guard let place = entry.batch else {
            output.writer.reply(to: entry.identifier, body)
            output.writer.endLine()
            return true
        }
        var writer = JSONWriter()
        writer.reply(to: entry.identifier, body)
        fill(place, with: writer.bytes)
        return true
    }

    @discardableResult
    package mutating func complete(_ token: RequestToken, error: RPCError) -> Bool {
        complete(token) { (_) throws(RPCError) in throw error }
    }

    /// Answers a request that passes a limit, and closes when everything else is answered too.
    package mutating func complete(_ token: RequestToken, closingBecause error: RPCError) {
        complete(token, error: error)
        switch phase {
        case .open, .inputEnded, .ended: phase = .draining
        case .draining, .closing: break
        }
    }

    /// Answers a peer that is not let in at all, and closes.
    package mutating func refuse(with error: RPCError) {
        answer(.null, with: error)
        phase = .closing
    }

    // MARK: Messages of ours

    /// Asks the peer; the answer comes out of `next` with the same identifier.
    package mutating func request(_ method: String, params: ((inout JSONWriter) -> Void)? = nil) -> Int64 {
        lastAsked += 1
        asked.insert(lastAsked)
        output.writer.call(method, identifier: lastAsked, params: params)
        return lastAsked
    }

    package mutating func notify(_ method: String, params: ((inout JSONWriter) -> Void)? = nil) {
        output.writer.call(method, identifier: nil, params: params)
    }

    // MARK: Output

    package var wantsWrite: Bool { output.count > 0 }

    /// Bytes that wait to be written.
    package var outputCount: Int { output.count }

    /// Hands the output to `write`, without a copy, until it has all gone out or `write` takes nothing more.
    ///
    /// - Parameter write: says how many bytes it took.
    package mutating func writeOutput(_ write: (UnsafeRawBufferPointer) -> Int) {
        while output.count > 0 {
            let taken = output.withBytes(write)
            guard taken > 0 else { return }
            output.drop(taken)
        }
    }

    /// Hands over all output.
    package mutating func takeOutput() -> [UInt8] { output.take() }

    /// True when nothing is left to do for this peer.
    package var shouldClose: Bool {
        switch phase {
        case .open, .inputEnded: false
        case .ended where isSubscribed: false
        case .ended, .draining: waiting.isEmpty && pending.count == 0 && output.count == 0
        case .closing: output.count == 0
        }
    }

    /// What the owner has to do next.
    package struct Needs: Hashable, Sendable {
        package let read: Bool
        package let write: Bool
        package let close: Bool
    }

    /// Mutating although nothing changes: it is then called in place, while its owner's read of a computed property
    /// copies the whole state first.
    package mutating func takeNeeds() -> Needs { Needs(read: wantsRead, write: wantsWrite, close: shouldClose) }

    // MARK: Private

    private mutating func read(_ line: Range<Int>) -> Inbound? {
        switch framer.withLine(line, { IncomingMessage.parse($0, limits: limits) }) {
        case .single(let request):
            guard let identifier = request.identifier else { return .notification(request) }
            guard pending.count < limits.unansweredRequests else { return closeUnanswered(identifier) }
            return .request(pending.insert(PendingReplies.Entry(identifier: identifier, batch: nil)), request)
        case .batch(let members):
            return begin(members)
        case .response(let response):
            let isAnswer = response.identifier.map { asked.remove($0) != nil } ?? !asked.isEmpty
            return isAnswer ? .response(response) : nil
        case .ignored:
            return nil
        case .invalid(let invalid):
            answer(invalid.identifier, with: invalid.error)
            return nil
        case .limitExceeded(let name, let error):
            return close(answering: error, as: .draining, because: .limitExceeded(name))
        }
    }

    /// Hands out the members one by one; those that are invalid have their reply at once.
    private mutating func begin(_ members: [Result<Request, IncomingMessage.Invalid>]) -> Inbound? {
        let requests = members.count { (try? $0.get().identifier) != nil }
        guard pending.count + requests <= limits.unansweredRequests else { return closeUnanswered(.null) }
        let answered = members.count { (try? $0.get().isNotification) != true }
        let batch = nextBatch
        var reply = BatchReply(members: answered)
        var place = 0
        for member in members {
            switch member {
            case .success(let request):
                guard let identifier = request.identifier else {
                    waiting.append(.notification(request))
                    continue
                }
                let entry = PendingReplies.Entry(identifier: identifier, batch: .init(batch: batch, member: place))
                waiting.append(.request(pending.insert(entry), request))
            case .failure(let invalid):
                var writer = JSONWriter()
                writer.reply(to: invalid.identifier, with: invalid.error)
                reply.fill(place, with: writer.bytes)
            }
            place += 1
        }
        waiting.reverse()
        if requests > 0 {
            nextBatch &+= 1
            batches[batch] = reply
        } else if answered > 0 {
            reply.write(into: &output.writer)
        }
        return waiting.popLast()
    }

    private mutating func fill(_ place: PendingReplies.BatchPlace, with reply: [UInt8]) {
        guard batches[place.batch] != nil else { return }
        batches[place.batch]?.fill(place.member, with: reply)
        guard let batch = batches[place.batch], batch.isComplete else { return }
        batches[place.batch] = nil
        batch.write(into: &output.writer)
    }

    private mutating func closeUnanswered(_ identifier: RequestIdentifier) -> Inbound {
        let error = RPCError.limitExceeded(
            .unanswered, "At most \(limits.unansweredRequests) requests may wait for their replies.")
        return close(answering: error, identifier: identifier, as: .closing, because: .limitExceeded(.unanswered))
    }

    private mutating func close(
        answering error: RPCError, identifier: RequestIdentifier = .null, as phase: Phase, because reason: ClosingReason
    ) -> Inbound {
        answer(identifier, with: error)
        self.phase = phase
        return .closing(reason)
    }

    private mutating func answer(_ identifier: RequestIdentifier, with error: RPCError) {
        output.writer.reply(to: identifier, with: error)
        output.writer.endLine()
    }
}
