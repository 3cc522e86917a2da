/// What a caller asks for: to run the handler of an identifier, not before a floor and under conditions.
///
/// Requests are values (B16); one is pending per identifier (B11).
public struct TaskRequest: Hashable, Sendable, Codable {
    /// The task to run.
    public var identifier: TaskIdentifier
    /// The kind; without one the registered kind, else the manifest's, else `appRefresh` (B10).
    public var kind: TaskKind?
    /// The floor: the task never starts sooner, and may start later (B14).
    public var floor: WallTime?
    /// Holds the task until a network is there.
    public var requiresNetworkConnectivity: Bool
    /// Holds the task until the machine is on external power.
    public var requiresExternalPower: Bool
    /// The title of continued processing, for people.
    public var title: String?
    /// The subtitle of continued processing, for people.
    public var subtitle: String?
    /// What happens when continued processing cannot start at once (B29).
    public var strategy: SubmissionStrategy?
    /// What the run needs beyond a processor. Nothing is supported, so that asking for anything is `unavailable` (B10).
    package var requiredResources: [String]?

    /// Makes a request; everything but the identifier has a default.
    public init(
        identifier: TaskIdentifier, kind: TaskKind? = nil, floor: WallTime? = nil,
        requiresNetworkConnectivity: Bool = false, requiresExternalPower: Bool = false, title: String? = nil,
        subtitle: String? = nil, strategy: SubmissionStrategy? = nil
    ) {
        self.identifier = identifier
        self.kind = kind
        self.floor = floor
        self.requiresNetworkConnectivity = requiresNetworkConnectivity
        self.requiresExternalPower = requiresExternalPower
        self.title = title
        self.subtitle = subtitle
        self.strategy = strategy
    }
}

/// What happens when continued processing cannot start at once (B29).
public enum SubmissionStrategy: String, Sendable, Codable, CaseIterable {
    /// The submission is refused with `immediateRunIneligible`.
    case fail
    /// The request waits for a slot.
    case queue
}

/// What a submission does when a request for its identifier is already pending (B12).
public enum PendingChoice: String, Sendable, Codable, CaseIterable {
    /// The new request replaces the old one.
    case replace
    /// The old request stays.
    case keep
    /// The old request stays if it asks for the same and can start no later than the new one.
    case keepEarlier
}
