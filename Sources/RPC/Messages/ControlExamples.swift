import Scheduling

/// A call of every method. Against a daemon with an app `com.example.app`, which has run once, each of them works.
enum ControlExamples {
    static let app = #"{"app":"com.example.app"}"#
    static let refresh = #"{"identifier":"com.example.app.refresh"}"#

    static let request = """
        {"identifier":"com.example.app.refresh","kind":"appRefresh","earliestBeginDate":"2030-11-30T08:45:00.000Z",\
        "requiresNetworkConnectivity":true,"requiresExternalPower":false,"app":"com.example.app",\
        "submittedAt":"2026-11-30T08:30:00.000Z","submission":7,"attempts":0}
        """

    static let ended = run(
        "com.example.app.refresh", "appRefresh", origin: "simulated", state: "succeeded",
        more: #","endedAt":"2026-11-30T08:45:02.250Z","exit":{"code":0}"#)

    static let begun = run(
        "com.example.app.export", "processing", origin: "simulated", state: "running",
        more: #","progress":{"fraction":0.25,"title":"Export","subtitle":"3 of 12 files"}"#)

    /// The run of a task that is asked to end.
    static func expiring(_ reason: ExpirationReason) -> String {
        run(
            "com.example.app.export", "processing", origin: "simulated", state: "expiring",
            more:
                #","remainingSeconds":4.9,"expiredAt":"2026-11-30T08:45:02.250Z","expirationReason":"\#(reason.rawValue)""#
        )
    }

    static let overridden = device(
        externalPower: """
            {"value":false,"source":"override","since":"2026-11-30T08:45:00.000Z","overridden":true,\
            "until":"2026-11-30T08:46:00.000Z"}
            """)

    static let device = device()

    static let reported = device(
        network: """
            {"value":"metered","source":"hotspot","since":"2026-11-30T08:45:00.000Z","overridden":false,\
            "until":"2026-11-30T09:45:00.000Z"}
            """)

    static let change = """
        {"at":"2026-11-30T08:45:00.000Z","condition":"network","value":"unmetered","source":"netlink","overridden":false}
        """

    static let store = #"{"state":"ready","path":"/var/lib/runner/runner.sqlite","schemaVersion":3}"#

    static let finding = """
        {"severity":"warning","name":"neverRegistered","app":"com.example.app","identifier":"com.example.app.export",\
        "message":"The identifier is permitted, and no handler is registered for it.",\
        "fix":"Register a handler, or take it out of BGTaskSchedulerPermittedIdentifiers."}
        """

    static let limits = """
        {"lineBytes":262144,"depth":32,"batchRequests":64,"unansweredRequests":1024,"subscriptions":16,\
        "connections":256,"connectionsPerUser":64,"outputStallSeconds":30}
        """

    static let explanation = """
        {"identifier":"com.example.app.refresh","status":"waiting","summary":"It waits for a network.",\
        "gates":[{"gate":"network","verdict":"closed","since":"2026-11-30T08:40:00.000Z","source":"netlink",\
        "detail":"There is no network."}],"pending":\(request),"lastRun":\(ended),"diagnostics":[]}
        """

    static let event = """
        {"sequence":413,"at":"2026-11-30T08:45:00.000Z","type":"phaseChanged","data":{"phase":"running"}}
        """

    static let log =
        #"{"lines":[{"at":"2026-11-30T08:45:01.000Z","stream":"stdout","text":"12 files are new"}],"end":"1.47"}"#

    // MARK: Private

    private static func assumed(_ condition: DeviceCondition) -> String {
        let (value, rule) = condition.assumed
        var writer = JSONWriter()
        writer.value(
            ConditionReading(
                condition: condition, value: value, source: "assumed: \(rule)", since: nil, overridden: false))
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// The conditions as they are known, each without a source but for those that are given.
    private static func device(
        externalPower: String =
            #"{"value":true,"source":"upower","since":"2026-11-30T08:40:00.000Z","overridden":false}"#,
        network: String = assumed(.network)
    ) -> String {
        """
        {"state":{"externalPower":\(externalPower),"batteryLevel":{"value":0.8,"source":"upower",\
        "since":"2026-11-30T08:40:00.000Z","overridden":false},"lowPowerMode":\(assumed(.lowPowerMode)),\
        "network":\(network),"idle":\(assumed(.idle)),"unlocked":\(assumed(.unlocked)),\
        "thermal":\(assumed(.thermal)),"backgroundRefresh":\(assumed(.backgroundRefresh))}}
        """
    }

    private static func run(
        _ identifier: String, _ kind: String, origin: String, state: String, more: String
    ) -> String {
        """
        {"run":1,"identifier":"\(identifier)","app":"com.example.app","kind":"\(kind)","origin":"\(origin)",\
        "attempt":1,"submission":6,"waitedSeconds":12.5,"waits":[{"gate":"network","seconds":12.5}],\
        "state":"\(state)","submittedAt":"2026-11-30T08:44:47.500Z","startedAt":"2026-11-30T08:45:00.000Z",\
        "diagnostics":[]\(more)}
        """
    }
}
