import Platform
import RPC

/// A connection to a daemon, whose reads and writes wait.
final class ControlConnection {
    private let descriptor: OwnedDescriptor
    private var state = ClientConnectionState()
    private var responses: [Response] = []
    /// What came of subscriptions and is not taken yet.
    private var events: [JSONValue] = []
    private var buffer = [UInt8](repeating: 0, count: 16_384)
    /// How long `callBriefly` waits, in milliseconds.
    private let answerTime: Int64

    init(_ descriptor: OwnedDescriptor, answerTime: Int64) {
        self.descriptor = descriptor
        self.answerTime = answerTime
    }

    /// Sends a request; its response will carry the number.
    func send(_ method: String, params: [UInt8]? = nil) throws(ControlFailure) -> Int64 {
        let request: (identifier: Int64, bytes: [UInt8])
        if let params {
            request = state.request(method) { $0.raw(params) }
        } else {
            request = state.request(method)
        }
        let outcome = request.bytes.withUnsafeBytes { BlockingIO.writeAll(descriptor.raw, $0) }
        switch outcome {
        case .data, .wouldBlock: return request.identifier
        // What the daemon had to say before it hung up may still be there to read.
        case .endOfFile: return request.identifier
        case .failed(let error): throw .lost("The request could not be sent: \(error).")
        }
    }

    /// The next response, in the order in which they come; nil when the deadline, of the awake clock, was there before.
    func receive(until deadline: Int64? = nil) throws(ControlFailure) -> Response? {
        while responses.isEmpty {
            guard deadline == nil || BlockingIO.wait(for: .reading, of: descriptor.raw, until: deadline) else {
                return nil
            }
            switch buffer.withUnsafeMutableBytes({ NonblockingIO.read(descriptor.raw, into: $0) }) {
            case .data(let count): take(try read(count))
            case .wouldBlock: _ = BlockingIO.wait(for: .reading, of: descriptor.raw, until: deadline)
            case .endOfFile:
                take(try readEnd())
                guard responses.isEmpty else { break }
                throw .lost("The daemon closed the connection before it answered; look at its log, and try again.")
            case .failed(let error): throw .lost("The answer could not be read: \(error).")
            }
        }
        return responses.removeFirst()
    }

    /// What to wait for before `takeEvents`.
    var awaited: BlockingIO.Awaited { .input(descriptor.raw) }

    /// Whether events have come that were not taken.
    var hasEvents: Bool { !events.isEmpty }

    /// The events that have come; nil when the daemon has hung up and all were taken.
    func takeEvents() throws(ControlFailure) -> [JSONValue]? {
        var isOpen = true
        if events.isEmpty, BlockingIO.wait(for: .reading, of: descriptor.raw, until: 0) {
            switch buffer.withUnsafeMutableBytes({ NonblockingIO.read(descriptor.raw, into: $0) }) {
            case .data(let count): take(try read(count))
            case .wouldBlock: break
            case .endOfFile, .failed: isOpen = false
            }
        }
        defer { events = [] }
        return isOpen || !events.isEmpty ? events : nil
    }

    /// Asks who is there, so that nothing is taken for a runner's answer that is none.
    ///
    /// - Returns: the result of `hello`.
    @discardableResult
    func greet(until deadline: Int64) throws(ControlFailure) -> JSONValue {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("client", "runnerctl")
            writer.key("protocols")
            writer.array { $0.integer(ControlMethods.protocolVersion) }
        }
        let identifier = try send(ControlMethods.hello.name, params: writer.bytes)
        while let response = try receive(until: deadline) {
            guard response.identifier == identifier || response.identifier == nil else { continue }
            switch response.outcome {
            case .error(let error) where !error.kind.isEmpty: throw .refused(error)
            case .result(let hello) where hello["protocol"]?.integer != nil && hello["instance"]?.string != nil:
                return hello
            case .error, .result:
                throw .lost("What answers is not a runner: it does not know “\(ControlMethods.hello.name)”.")
            }
        }
        throw .lost("Somebody listens there and does not answer in time; it is no runner, or one that hangs.")
    }

    /// The result of a request that waits for no run, so that only a daemon that hangs does not answer it.
    func callBriefly(_ method: String, params: [UInt8]? = nil) throws(ControlFailure) -> JSONValue {
        do throws(ControlFailure) {
            return try call(method, params: params, until: SystemClock.milliseconds(.awake) + answerTime)
        } catch {
            guard case .timedOut = error else { throw error }
            throw .lost(
                "The daemon has not answered within \(DurationText.short(answerTime)); it may still do what it was asked."
            )
        }
    }

    /// The result of a request.
    func call(
        _ method: String, params: [UInt8]? = nil, until deadline: Int64? = nil
    ) throws(ControlFailure) -> JSONValue {
        let identifier = try send(method, params: params)
        while let response = try receive(until: deadline) {
            // An error without an identifier is about this request, since there is no other.
            guard response.identifier == identifier || response.identifier == nil else { continue }
            return try Self.result(of: response)
        }
        throw .timedOut("The daemon has not answered in time.")
    }

    static func result(of response: Response) throws(ControlFailure) -> JSONValue {
        switch response.outcome {
        case .result(let value): return value
        case .error(let error): throw .refused(error)
        }
    }

    // MARK: Private

    private func read(_ count: Int) throws(ControlFailure) -> [ClientConnectionState.Inbound] {
        do throws(ClientConnectionState.ProtocolViolation) {
            return try state.receive(Array(buffer[..<count]))
        } catch {
            throw violation(error)
        }
    }

    private func readEnd() throws(ControlFailure) -> [ClientConnectionState.Inbound] {
        do throws(ClientConnectionState.ProtocolViolation) {
            return try state.receiveEnd()
        } catch {
            throw violation(error)
        }
    }

    private func violation(_ error: ClientConnectionState.ProtocolViolation) -> ControlFailure {
        .lost("What answers is not a runner: \(error.message)")
    }

    private func take(_ inbound: [ClientConnectionState.Inbound]) {
        for message in inbound {
            switch message {
            case .response(let response): responses.append(response)
            case .notification(let request): if let params = request.params { events.append(params) }
            }
        }
    }
}
