import Scheduling

/// The columns of a pending request: the table `requests` has them, and each run has them for the request it claimed.
///
/// What has few values shares one number, `traits`: a start reads every request, and each column costs.
enum RequestColumns {
    static let names = """
        identifier, app, traits, floor, title, subtitle, submitted_at, submitted_boot, boot, submission, attempts, \
        postponements, backoff_until
        """
    static let count: Int32 = 13
}

/// The values that share the column `traits`: the lowest bit for the network, the next one for power, then two bits for
/// the maker, two for the strategy (0 is none) and the rest for the kind.
struct RequestTraits {
    var code: Int64

    init(_ request: PendingRequest) {
        code = request.requiresNetworkConnectivity ? 1 : 0
        code |= request.requiresExternalPower ? 2 : 0
        code |= request.maker.code << 2
        code |= (request.strategy.map { $0.code + 1 } ?? 0) << 4
        code |= request.kind.code << 6
    }

    init(code: Int64) {
        self.code = code
    }

    var requiresNetworkConnectivity: Bool { code & 1 != 0 }
    var requiresExternalPower: Bool { code & 2 != 0 }
    var maker: RequestMaker? { RequestMaker.decoded(code >> 2 & 3) }
    var hasStrategy: Bool { code >> 4 & 3 != 0 }
    var strategy: SubmissionStrategy? { SubmissionStrategy.decoded((code >> 4 & 3) - 1) }
    var kind: TaskKind? { TaskKind.decoded(code >> 6) }
}

/// Reads requests from rows; texts that repeat are shared between them.
struct RequestReader {
    private var apps = TextPool()
    private var boots = TextPool()

    /// Reads the request whose columns begin at `first`.
    mutating func request(_ row: SQLiteStatement, from first: Int32) throws(StoreFailure) -> PendingRequest {
        let identifier = row.bytes(first)
        guard StoredText.isIdentifier(identifier), let app = apps.identifier(row.bytes(first + 1)) else {
            throw row.damaged()
        }
        let traits = RequestTraits(code: row.integer(first + 2))
        guard let kind = traits.kind, let maker = traits.maker, traits.hasStrategy == (traits.strategy != nil) else {
            throw row.damaged()
        }
        var request = PendingRequest(
            identifier: TaskIdentifier(checked: String(decoding: identifier, as: UTF8.self)),
            app: AppIdentifier(checked: app),
            kind: kind,
            floor: row.optionalInteger(first + 3).map(WallTime.init(milliseconds:)),
            submittedAt: WallTime(milliseconds: row.integer(first + 6)),
            submittedBoot: BootTime(milliseconds: row.integer(first + 7)),
            bootIdentifier: BootIdentifier(boots.text(row.bytes(first + 8))),
            submission: row.integer(first + 9))
        request.requiresNetworkConnectivity = traits.requiresNetworkConnectivity
        request.requiresExternalPower = traits.requiresExternalPower
        request.title = row.optionalText(first + 4)
        request.subtitle = row.optionalText(first + 5)
        request.strategy = traits.strategy
        request.maker = maker
        request.attempts = Int(row.integer(first + 10))
        request.postponements = Int(row.integer(first + 11))
        request.backoffUntil = row.optionalInteger(first + 12).map(BootTime.init(milliseconds:))
        return request
    }
}

extension SQLiteStatement {
    /// Binds a request's columns to the parameters from `first` on.
    func bind(_ request: PendingRequest, from first: Int32) {
        bind(first, request.identifier.text)
        bind(first + 1, request.app.text)
        bind(first + 2, RequestTraits(request).code)
        bind(first + 3, request.floor?.milliseconds)
        bind(first + 4, request.title)
        bind(first + 5, request.subtitle)
        bind(first + 6, request.submittedAt.milliseconds)
        bind(first + 7, request.submittedBoot.milliseconds)
        bind(first + 8, request.bootIdentifier.text)
        bind(first + 9, request.submission)
        bind(first + 10, request.attempts)
        bind(first + 11, request.postponements)
        bind(first + 12, request.backoffUntil?.milliseconds)
    }
}
