package import Scheduling

/// The parameters of single methods, as the values that the scheduler takes.
extension ParameterReader {
    /// `hello`: refuses a caller that speaks none of our versions.
    package func checkProtocols() throws(RPCError) {
        guard let protocols = value("protocols") else { return }
        let ours = ControlMethods.protocolVersion
        guard let versions = protocols.array, versions.allSatisfy({ $0.integer != nil }) else {
            throw invalid("protocols", expected: "an array of integers, such as [\(ours)]").rpcError
        }
        guard versions.contains(where: { $0.integer == ours }) else {
            throw invalid("protocols", expected: "an array that contains \(ours), the version that is spoken here")
                .rpcError
        }
    }

    /// `submit`. Ranges and limits are the scheduler's to check, in its order (B10).
    package func submission() throws(RPCError) -> (request: TaskRequest, options: SubmissionOptions) {
        var request = TaskRequest(
            identifier: try taskIdentifier(), kind: word("kind"),
            floor: date("earliestBeginDate").map { WallTime(milliseconds: $0) },
            requiresNetworkConnectivity: bool("requiresNetworkConnectivity") ?? false,
            requiresExternalPower: bool("requiresExternalPower") ?? false,
            title: string("title"), subtitle: string("subtitle"), strategy: word("strategy"))
        request.requiredResources = strings("requiredResources")
        let options = SubmissionOptions(
            ifPending: word("ifPending") ?? .replace, tolerance: duration("toleranceSeconds"))
        guard options.tolerance == nil || options.ifPending == .keepEarlier else {
            throw InvalidParameters(
                member: "toleranceSeconds", expected: nil,
                message: "'toleranceSeconds' is only for 'keepEarlier'; set 'ifPending' to that, or leave it out."
            ).rpcError
        }
        return (request, options)
    }

    /// `simulateLaunch`.
    package func simulationOptions() -> SimulationOptions {
        SimulationOptions(submit: bool("submit") ?? false, budget: bool("budget") ?? false)
    }

    /// `simulateExpiration`.
    package func expirationReason() -> ExpirationReason {
        word("reason") ?? .simulated
    }

    /// `stop`: which run is meant.
    package func stopTarget() throws(RPCError) -> (identifier: TaskIdentifier?, run: RunIdentifier?) {
        let identifier = try optionalTaskIdentifier()
        let run = runIdentifier()
        guard identifier != nil || run != nil else {
            throw missing("identifier", "name the task in 'identifier' or its run in 'run'")
        }
        return (identifier, run)
    }

    /// `history`.
    package func historyQuery() throws(RPCError) -> HistoryQuery {
        HistoryQuery(
            identifier: try optionalTaskIdentifier(), origin: word("origin"), state: word("state"),
            before: try cursor("before").map { RunIdentifier($0) }, limit: limit())
    }

    /// What `log` is asked for.
    package enum LogSource: Hashable, Sendable {
        case run(RunIdentifier)
        case app(AppIdentifier)
    }

    /// `log`: of a run, or of an app.
    package func logSource() throws(RPCError) -> LogSource {
        switch (runIdentifier(), try optionalAppIdentifier()) {
        case (let run?, nil): return .run(run)
        case (nil, let app?): return .app(app)
        case (nil, nil): throw missing("run", "name a run in 'run' or an app in 'app'")
        case (.some, .some): throw missing("app", "give either 'run' or 'app', not both")
        }
    }

    // MARK: The device

    /// `device.history`.
    package func deviceChangeQuery() throws(RPCError) -> DeviceChangeQuery {
        DeviceChangeQuery(condition: deviceCondition(), before: try cursor("before"), limit: limit())
    }

    /// The parameter `condition`; nil when it is absent, which only `device.clear` and `device.history` allow.
    package func deviceCondition() -> DeviceCondition? { word("condition") }

    /// `device.override`: a condition and a value that it can have.
    package func override() throws(RPCError) -> (condition: DeviceCondition, value: ConditionValue) {
        let condition = requiredCondition
        guard let json = value("value"), let value = ConditionValue(json, for: condition) else {
            throw invalid("value", expected: condition.expectation).rpcError
        }
        return (condition, value)
    }

    /// `device.report`: as `override`, and null when the source does not know the value.
    package func report() throws(RPCError) -> (condition: DeviceCondition, value: ConditionValue?, source: String) {
        let condition = requiredCondition
        guard let source = string("source"), !source.isEmpty else {
            throw invalid("source", expected: "a name of printable characters").rpcError
        }
        if let json = value("value"), json.isNull { return (condition, nil, source) }
        return (condition, try override().value, source)
    }

    // MARK: Private

    private var requiredCondition: DeviceCondition {
        guard let condition = deviceCondition() else { preconditionFailure("'condition' is not required here") }
        return condition
    }

    private func missing(_ member: String, _ advice: String) -> RPCError {
        InvalidParameters(member: member, expected: nil, message: "It is not clear what is meant; \(advice).").rpcError
    }
}

extension ConditionValue {
    /// Nil when the condition cannot have this value.
    package init?(_ json: JSONValue, for condition: DeviceCondition) {
        switch condition {
        case .externalPower, .lowPowerMode, .idle, .unlocked, .backgroundRefresh:
            guard let flag = json.bool else { return nil }
            self = .flag(flag)
        case .batteryLevel:
            guard let level = json.number, (0...1).contains(level) else { return nil }
            self = .level(level)
        case .network:
            guard let state = json.string.flatMap({ NetworkState(rawValue: $0) }) else { return nil }
            self = .network(state)
        case .thermal:
            guard let state = json.string.flatMap({ ThermalState(rawValue: $0) }) else { return nil }
            self = .thermal(state)
        }
    }
}

extension DeviceCondition {
    /// Completes "must be …".
    package var expectation: String {
        switch self {
        case .externalPower, .lowPowerMode, .idle, .unlocked, .backgroundRefresh: ParameterType.boolean.expectation
        case .batteryLevel: "a number from 0 to 1"
        case .network: ParameterType.enumeration(ControlParameters.words(NetworkState.self)).expectation
        case .thermal: ParameterType.enumeration(ControlParameters.words(ThermalState.self)).expectation
        }
    }
}
