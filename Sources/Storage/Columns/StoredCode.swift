import Scheduling

/// A value that a column holds as a small number. A number, once given, keeps its meaning for ever: a new value goes to
/// the end, in a new version of the schema, so that an older Runner refuses the store instead of misreading it.
protocol StoredCode {
    var code: Int64 { get }
    /// The value of code `n` is at `n`.
    static var byCode: [Self] { get }
}

extension StoredCode {
    static func decoded(_ code: Int64) -> Self? {
        let values = byCode
        guard code >= 0, code < Int64(values.count) else { return nil }
        return values[Int(code)]
    }
}

extension TaskKind: StoredCode {
    var code: Int64 {
        switch self {
        case .appRefresh: 0
        case .processing: 1
        case .continuedProcessing: 2
        case .healthResearch: 3
        }
    }

    static let byCode: [TaskKind] = [.appRefresh, .processing, .continuedProcessing, .healthResearch]
}

extension SubmissionStrategy: StoredCode {
    var code: Int64 {
        switch self {
        case .fail: 0
        case .queue: 1
        }
    }

    static let byCode: [SubmissionStrategy] = [.fail, .queue]
}

extension RequestMaker: StoredCode {
    var code: Int64 {
        switch self {
        case .caller: 0
        case .recurrence: 1
        case .retry: 2
        }
    }

    static let byCode: [RequestMaker] = [.caller, .recurrence, .retry]
}

extension RunOrigin: StoredCode {
    var code: Int64 {
        switch self {
        case .scheduled: 0
        case .simulated: 1
        }
    }

    static let byCode: [RunOrigin] = [.scheduled, .simulated]
}

/// The indexes of the schema know that the first three have not ended.
extension RunState: StoredCode {
    var code: Int64 {
        switch self {
        case .starting: 0
        case .running: 1
        case .expiring: 2
        case .succeeded: 3
        case .failed: 4
        case .expired: 5
        case .abandoned: 6
        case .crashed: 7
        case .interrupted: 8
        case .cancelled: 9
        }
    }

    static let byCode: [RunState] = [
        .starting, .running, .expiring, .succeeded, .failed, .expired, .abandoned, .crashed, .interrupted, .cancelled,
    ]
}

extension ExpirationReason: StoredCode {
    var code: Int64 {
        switch self {
        case .budget: 0
        case .conditionLost: 1
        case .draining: 2
        case .stopped: 3
        case .stalled: 4
        case .appStopping: 5
        case .simulated: 6
        }
    }

    static let byCode: [ExpirationReason] = [
        .budget, .conditionLost, .draining, .stopped, .stalled, .appStopping, .simulated,
    ]
}

extension DeviceCondition: StoredCode {
    var code: Int64 {
        switch self {
        case .externalPower: 0
        case .batteryLevel: 1
        case .lowPowerMode: 2
        case .network: 3
        case .idle: 4
        case .unlocked: 5
        case .thermal: 6
        case .backgroundRefresh: 7
        }
    }

    static let byCode: [DeviceCondition] = [
        .externalPower, .batteryLevel, .lowPowerMode, .network, .idle, .unlocked, .thermal, .backgroundRefresh,
    ]
}

extension SQLiteStatement {
    func bind<Value: StoredCode>(_ index: Int32, _ value: Value) {
        bind(index, value.code)
    }

    func bind<Value: StoredCode>(_ index: Int32, _ value: Value?) {
        bind(index, value?.code)
    }

    func value<Value: StoredCode>(_ column: Int32, _ type: Value.Type) throws(StoreFailure) -> Value {
        guard let value = Value.decoded(integer(column)) else { throw damaged() }
        return value
    }

    func optionalValue<Value: StoredCode>(_ column: Int32, _ type: Value.Type) throws(StoreFailure) -> Value? {
        isNull(column) ? nil : try value(column, type)
    }
}
