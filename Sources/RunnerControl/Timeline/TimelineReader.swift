import RPC
import Scheduling

/// Asks a daemon for all that a timeline shows, page by page.
struct TimelineReader {
    let connection: ControlConnection
    let options: TimelineOptions

    private static let page = 1_000
    /// How many runs are looked at, whatever the daemon keeps.
    static let mostRuns = 100_000
    /// How many requests are asked why they still wait.
    static let mostExplanations = 200

    func read() throws(ControlFailure) -> TimelineAnswers {
        var answers = TimelineAnswers(status: try connection.callBriefly(ControlMethods.status.name))
        answers.conditions = try connection.callBriefly(ControlMethods.device.name)["state"]
        // Before the runs, so that a request which starts meanwhile is not missed.
        answers.requests = try pending()
        try readRuns(into: &answers)
        answers.requests.removeAll { request in answers.runs.contains { Self.isRun($0, of: request) } }
        if let identifier = options.identifier, answers.runs.isEmpty, answers.requests.isEmpty {
            answers.unknownTask = try unknown(identifier)
        }
        for request in answers.requests.prefix(Self.mostExplanations) {
            try explain(request, into: &answers)
        }
        answers.changes = try changes()
        return answers
    }

    // MARK: Private

    private func pending() throws(ControlFailure) -> [JSONValue] {
        var requests: [JSONValue] = []
        var after: String?
        repeat {
            let result = try connection.callBriefly(
                ControlMethods.pending.name,
                params: params { writer in
                    writer.member("identifier", options.identifier)
                    writer.member("app", options.app)
                    writer.member("limit", Self.page)
                    writer.member("after", after)
                })
            requests += result.elements("requests")
            after = result["next"]?.string
        } while after != nil
        return requests
    }

    private func readRuns(into answers: inout TimelineAnswers) throws(ControlFailure) {
        var before: String?
        var count = 0
        repeat {
            let result = try connection.callBriefly(
                ControlMethods.history.name,
                params: params { writer in
                    writer.member("identifier", options.identifier)
                    writer.member("limit", Self.page)
                    writer.member("before", before)
                })
            let page = result.elements("runs")
            count += page.count
            answers.runs += page.filter(isMeant)
            before = result["next"]?.string
            // Runs are numbered by their start: behind a whole page that had ended before there is no more to see,
            // but for what still runs.
            guard page.contains(where: { Self.end(of: $0) >= options.span.start }) else { break }
            answers.isCut = before != nil && count >= Self.mostRuns
        } while before != nil && !answers.isCut
        let known = Set(answers.runs.compactMap { $0["run"]?.integer })
        answers.runs += try connection.callBriefly(ControlMethods.running.name).elements("runs").filter { run in
            isMeant(run) && !known.contains(run["run"]?.integer ?? 0)
        }
    }

    private func isMeant(_ run: JSONValue) -> Bool {
        if let identifier = options.identifier, run["identifier"]?.string != identifier { return false }
        if let app = options.app, run["app"]?.string != app { return false }
        return Self.end(of: run) >= options.span.start
    }

    /// A request that began to run since it was asked for counts as run; one that waits for another attempt waits.
    private static func isRun(_ run: JSONValue, of request: JSONValue) -> Bool {
        run["submission"]?.integer == request["submission"]?.integer
            && run["attempt"]?.integer == (request["attempts"]?.integer ?? 0) + 1
    }

    private static func end(of run: JSONValue) -> Int64 { run.date("endedAt") ?? .max }

    /// Nothing is said of a request that has gone meanwhile.
    private func explain(_ request: JSONValue, into answers: inout TimelineAnswers) throws(ControlFailure) {
        guard let identifier = request["identifier"]?.string else { return }
        do throws(ControlFailure) {
            answers.explanations[identifier] = try connection.callBriefly(
                ControlMethods.explain.name, params: params { $0.member("identifier", identifier) })
        } catch {
            guard case .refused = error else { throw error }
        }
    }

    /// What there is to say of a task that is not known; nothing of one that just has nothing to do.
    private func unknown(_ identifier: String) throws(ControlFailure) -> JSONValue? {
        let explanation = try connection.callBriefly(
            ControlMethods.explain.name, params: params { $0.member("identifier", identifier) })
        let unknown = [Explanation.Status.notPermitted, .notRegistered].map(\.rawValue)
        return unknown.contains(explanation.text("status")) ? explanation : nil
    }

    /// The changes of the span, and of each condition the last one before it.
    private func changes() throws(ControlFailure) -> [JSONValue] {
        var changes: [JSONValue] = []
        var before: String?
        var isBeforeSpan = false
        repeat {
            let result = try page(of: nil, limit: Self.page, before: before)
            changes += result.elements("changes")
            before = result["next"]?.string
            isBeforeSpan = changes.last.map { ($0.date("at") ?? 0) < options.span.start } ?? true
        } while before != nil && !isBeforeSpan
        guard let before else { return changes }
        let known = Set(
            changes.filter { $0.date("at") ?? 0 <= options.span.start }.compactMap { $0["condition"]?.string })
        for condition in DeviceCondition.allCases.map(\.rawValue) where !known.contains(condition) {
            changes += try page(of: condition, limit: 1, before: before).elements("changes")
        }
        return changes
    }

    private func page(of condition: String?, limit: Int, before: String?) throws(ControlFailure) -> JSONValue {
        try connection.callBriefly(
            ControlMethods.deviceHistory.name,
            params: params { writer in
                writer.member("condition", condition)
                writer.member("limit", limit)
                writer.member("before", before)
            })
    }

    private func params(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object(body)
        return writer.bytes
    }
}
