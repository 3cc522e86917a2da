import Platform
import RPC
import SystemPlatform

extension Interest {
    /// Nothing but the end of both directions, which is reported for every interest.
    fileprivate static let hangUp = Interest(rawValue: Readiness.hangUp.rawValue)
}

/// One client of the control socket. A class, so that its buffers are changed in place.
final class ControlConnection {
    let descriptor: OwnedDescriptor
    let peer: PeerCredentials
    let access: AccessLevel
    var state: ConnectionState
    var watch: WatchToken?
    var interest: Interest = .read
    /// Waits for the ends of runs, to be given up when the client goes.
    var waits: Set<UInt64> = []
    var share = TurnShare()
    /// More has come than its share of a turn; the rest is served in the next.
    var isContinuing = false
    /// It sent what no client may, and is closed for it.
    var hasBrokenLimit = false
    /// Bytes of answers that wait for a commit.
    var heldBytes = 0
    /// Questions to the store that wait for the answer of the one before, or for room in the output.
    var questions: [@Sendable (isolated Engine) -> Void] = []
    var isAsking = false
    /// Bytes that the client's socket has taken.
    var written: Int64 = 0

    init(descriptor: OwnedDescriptor, peer: PeerCredentials, access: AccessLevel, limits: ConnectionLimits) {
        self.descriptor = descriptor
        self.peer = peer
        self.access = access
        state = ConnectionState(limits: limits)
    }

    /// What the descriptor should be watched for.
    static func interest(for needs: ConnectionState.Needs) -> Interest {
        switch (needs.read, needs.write) {
        case (true, true): .readAndWrite
        case (true, false): .read
        case (false, true): .write
        // A client that has nothing more to say may still go while it waits for its answers.
        case (false, false): .hangUp
        }
    }
}

/// A request on its way through a method.
struct ControlCall {
    let connection: UInt64
    /// `nil` for a notification, which is never answered.
    let token: RequestToken?
    let access: AccessLevel
    let params: ParameterReader
}
