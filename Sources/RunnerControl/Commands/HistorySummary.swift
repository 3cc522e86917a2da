import Arguments
import RPC

/// `history --summary`: reads the history page by page, and counts.
struct HistorySummary {
    let command: MethodCommand
    let parsed: ParsedArguments
    let surroundings: Surroundings
    let style: Style
    let connection: () throws(ControlFailure) -> ControlConnection

    static let option = "--summary"

    private static let limitOption = "--limit"
    static let defaultLimit = 10_000
    private static let largestLimit = 1_000_000
    private static let page = 1_000

    func run() throws(ControlFailure) -> ControlStatus {
        do throws(ControlFailure) {
            return try count()
        } catch {
            throw command.reworded(error)
        }
    }

    // MARK: Private

    private func count() throws(ControlFailure) -> ControlStatus {
        let limit = try limit()
        var counts = HistoryCounts(hour: isJSON ? { Int($0 / 3_600_000 % 24) } : { DateText.hour($0) })
        // What makes no sense is said without a daemon.
        var page = try params(limit: min(Self.page, limit), before: try typed("before"))
        let connection = try connection()
        var hasMore = false
        while true {
            let result = try connection.callBriefly(ControlMethods.history.name, params: page)
            let runs = result.elements("runs")
            for run in runs { counts.add(run) }
            guard let next = result["next"]?.string, !runs.isEmpty else { break }
            hasMore = counts.runs >= limit
            if hasMore { break }
            page = try params(limit: min(Self.page, limit - counts.runs), before: next)
        }
        let report = HistoryReport(counts: counts, hasMore: hasMore)
        surroundings.console.write(isJSON ? report.json : report.text(style))
        return .done
    }

    private var isJSON: Bool { parsed.isSet(ControlDescription.json) }

    private func limit() throws(ControlFailure) -> Int {
        do throws(UsageError) {
            return try parsed.integer(of: Self.limitOption, in: 1...Self.largestLimit) ?? Self.defaultLimit
        } catch {
            throw .usage(error)
        }
    }

    private func typed(_ name: String) throws(ControlFailure) -> String? {
        guard case .string(let text) = try command.value(of: name, parsed, now: 0) else { return nil }
        return text
    }

    /// The params that were typed, and a page's.
    private func params(limit: Int, before: String?) throws(ControlFailure) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        _ = try command.writeParams(
            parsed, app: nil, now: surroundings.wallTime(), omitting: ["limit", "before"], into: &writer)
        writer.member("limit", limit)
        writer.member("before", before)
        writer.endObject()
        return writer.bytes
    }
}
