import Scheduling

/// The columns of a pending request: the table `requests` has them, and each run has them for the request it claimed.
enum RequestColumns {
    static let names = """
        identifier, app, kind, floor, network, power, title, subtitle, strategy, maker, submitted_at, submitted_boot, \
        boot, submission, attempts, postponements, backoff_until
        """
    static let count: Int32 = 17
}

/// Reads requests from rows; texts that repeat are shared between them.
struct RequestReader {
    private var apps = TextPool()
    private var boots = TextPool()

    /// Reads the request whose columns begin at `first`.
    mutating func request(_ row: SQLiteStatement, from first: Int32) throws(StoreFailure) -> PendingRequest {
        let identifier = row.bytes(first)
        let app = row.bytes(first + 1)
        guard StoredText.isIdentifier(identifier), StoredText.isIdentifier(app) else { throw row.damaged() }
        var request = PendingRequest(
            identifier: TaskIdentifier(checked: String(decoding: identifier, as: UTF8.self)),
            app: AppIdentifier(checked: apps.text(app)),
            kind: try row.value(first + 2, TaskKind.self),
            floor: row.optionalInteger(first + 3).map(WallTime.init(milliseconds:)),
            submittedAt: WallTime(milliseconds: row.integer(first + 10)),
            submittedBoot: BootTime(milliseconds: row.integer(first + 11)),
            bootIdentifier: BootIdentifier(boots.text(row.bytes(first + 12))),
            submission: row.integer(first + 13))
        request.requiresNetworkConnectivity = row.flag(first + 4)
        request.requiresExternalPower = row.flag(first + 5)
        request.title = row.optionalText(first + 6)
        request.subtitle = row.optionalText(first + 7)
        request.strategy = try row.optionalValue(first + 8, SubmissionStrategy.self)
        request.maker = try row.value(first + 9, RequestMaker.self)
        request.attempts = Int(row.integer(first + 14))
        request.postponements = Int(row.integer(first + 15))
        request.backoffUntil = row.optionalInteger(first + 16).map(BootTime.init(milliseconds:))
        return request
    }
}

extension SQLiteStatement {
    /// Binds a request's columns to the parameters from `first` on.
    func bind(_ request: PendingRequest, from first: Int32) {
        bind(first, request.identifier.text)
        bind(first + 1, request.app.text)
        bind(first + 2, request.kind)
        bind(first + 3, request.floor?.milliseconds)
        bind(first + 4, request.requiresNetworkConnectivity)
        bind(first + 5, request.requiresExternalPower)
        bind(first + 6, request.title)
        bind(first + 7, request.subtitle)
        bind(first + 8, request.strategy)
        bind(first + 9, request.maker)
        bind(first + 10, request.submittedAt.milliseconds)
        bind(first + 11, request.submittedBoot.milliseconds)
        bind(first + 12, request.bootIdentifier.text)
        bind(first + 13, request.submission)
        bind(first + 14, request.attempts)
        bind(first + 15, request.postponements)
        bind(first + 16, request.backoffUntil?.milliseconds)
    }
}
