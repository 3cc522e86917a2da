/// What one peer, and all peers together, may use up.
package struct ConnectionLimits: Hashable, Sendable {
    /// What `data.limit` says in a `limitExceeded` reply.
    package enum Name: String, CaseIterable, Sendable {
        case line, depth, batch, unanswered, subscriptions, connections, connectionsPerUser
        /// Pending requests in a snapshot. Its connection goes on, as after no other.
        case snapshot
    }

    /// Bytes of a line that comes in, without its LF.
    package var lineBytes = 262_144
    /// Levels of arrays and objects in a line that comes in.
    package var depth = 32
    package var batchRequests = 64
    package var unansweredRequests = 1_024
    package var subscriptions = 16
    /// Pending requests that a subscription's snapshot may show.
    package static let snapshotRequests = 10_000
    package var connections = 256
    package var connectionsPerUser = 64
    /// Of `connections`, how many are kept for peers with the access level admin.
    package var connectionsKeptForAdmins = 8
    /// How long output may wait without any progress.
    package var outputStallMilliseconds: Int64 = 30_000
    /// From this much waiting output on, nothing more is read from the peer.
    package var outputBytes = 1_048_576

    package init() {}
}
