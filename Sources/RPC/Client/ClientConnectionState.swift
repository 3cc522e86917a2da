/// The calling end of a connection, without the descriptor: requests become bytes, bytes become responses.
package struct ClientConnectionState: Sendable {
    package enum Inbound: Sendable {
        case response(Response)
        case notification(Request)
    }

    /// The other end does not speak the protocol.
    package struct ProtocolViolation: Error, Hashable, Sendable {
        /// One plain sentence.
        package let message: String
    }

    /// Replies may be far longer and deeper than requests.
    package static let defaultLineLimit = 268_435_456
    package static let defaultDepthLimit = 512

    private var framer: LineFramer
    private let limits: ConnectionLimits
    private var lastIdentifier: Int64 = 0
    private var unanswered: Set<Int64> = []

    package init(
        lineLimit: Int = ClientConnectionState.defaultLineLimit,
        depthLimit: Int = ClientConnectionState.defaultDepthLimit
    ) {
        var limits = ConnectionLimits()
        limits.lineBytes = lineLimit
        limits.depth = depthLimit
        self.limits = limits
        framer = LineFramer(limit: lineLimit, depth: depthLimit)
    }

    /// Requests that have no response yet.
    package var unansweredCount: Int { unanswered.count }

    /// A line to send, and the identifier that its response will carry.
    package mutating func request(
        _ method: String, params: ((inout JSONWriter) -> Void)? = nil
    ) -> (identifier: Int64, bytes: [UInt8]) {
        lastIdentifier += 1
        unanswered.insert(lastIdentifier)
        var writer = JSONWriter()
        writer.call(method, identifier: lastIdentifier, params: params)
        return (lastIdentifier, writer.bytes)
    }

    /// A line to send that nobody answers.
    package func notification(_ method: String, params: ((inout JSONWriter) -> Void)? = nil) -> [UInt8] {
        var writer = JSONWriter()
        writer.call(method, identifier: nil, params: params)
        return writer.bytes
    }

    /// What came in; responses to nothing that was asked are left out. After a thrown error nothing more can be read.
    package mutating func receive(_ bytes: UnsafeRawBufferPointer) throws(ProtocolViolation) -> [Inbound] {
        framer.append(bytes)
        var inbound: [Inbound] = []
        while let frame = framer.next() { try read(frame, into: &inbound) }
        return inbound
    }

    package mutating func receive(_ bytes: [UInt8]) throws(ProtocolViolation) -> [Inbound] {
        try bytes.withUnsafeBufferPointer { (buffer) throws(ProtocolViolation) in
            try receive(UnsafeRawBufferPointer(buffer))
        }
    }

    /// The other end sends no more; there may be a last line without LF.
    package mutating func receiveEnd() throws(ProtocolViolation) -> [Inbound] {
        var inbound: [Inbound] = []
        if let frame = framer.finish() { try read(frame, into: &inbound) }
        return inbound
    }

    // MARK: Private

    private mutating func read(
        _ frame: LineFramer.Frame, into inbound: inout [Inbound]
    ) throws(ProtocolViolation) {
        switch frame {
        case .notJSON:
            throw ProtocolViolation(message: "The other end sent something that is not JSON.")
        case .tooLong:
            throw ProtocolViolation(message: "The other end sent a line of more than \(limits.lineBytes) bytes.")
        case .tooDeep:
            throw ProtocolViolation(
                message: "The other end sent a line that nests deeper than \(limits.depth) levels.")
        case .line(let line):
            switch framer.withLine(line, { IncomingMessage.parse($0, limits: limits) }) {
            case .response(let response):
                if isExpected(response) { inbound.append(.response(response)) }
            case .single(let request):
                if request.isNotification { inbound.append(.notification(request)) }
            case .batch, .ignored: break
            case .invalid(let invalid): throw ProtocolViolation(message: invalid.error.message)
            case .limitExceeded(_, let error): throw ProtocolViolation(message: error.message)
            }
        }
    }

    /// An error without an identifier may be about anything that was sent.
    private mutating func isExpected(_ response: Response) -> Bool {
        guard let identifier = response.identifier else { return true }
        return unanswered.remove(identifier) != nil
    }
}
