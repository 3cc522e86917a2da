import Plugins
import Scheduling

extension ScenarioReader {
    private static let example = "[{\"app\": \"com.example.news\", \"tasks\": []}]"
    private static let oneDay = Duration.zero...ScenarioLimits.day

    /// - Parameter isComplete: becomes `false` when not all apps and tasks could be read.
    func readApps(_ isComplete: inout Bool) -> [ScenarioApp]? {
        if case .array(let elements)? = top.value("apps"), elements.count > ScenarioLimits.apps {
            top.tooMany("apps", elements.count, "apps", limit: ScenarioLimits.apps, fix: "Leave some out.")
            isComplete = false
            return nil
        }
        guard let readers = top.dictionaries("apps", example: Self.example) else {
            if top.has("apps") { isComplete = false }
            return nil
        }
        if case .array(let elements)? = top.value("apps"), readers.count < elements.count { isComplete = false }
        var apps: [ScenarioApp] = []
        var known: Set<AppIdentifier> = []
        var owners: [TaskIdentifier: AppIdentifier] = [:]
        for reader in readers {
            guard let app = readApp(reader, &owners, &isComplete) else {
                isComplete = false
                continue
            }
            if !known.insert(app.app).inserted {
                problems.error(
                    .invalidValue, reader.key("app"), "The app \(app.app) is there twice.",
                    fix: "Put the tasks of both into one.")
            }
            apps.append(app)
        }
        if owners.count > ScenarioLimits.tasks {
            top.tooMany("apps", owners.count, "tasks in all", limit: ScenarioLimits.tasks, fix: "Leave some out.")
        }
        return apps
    }

    private func readApp(
        _ reader: KeyedReader, _ owners: inout [TaskIdentifier: AppIdentifier], _ isComplete: inout Bool
    ) -> ScenarioApp? {
        reader.refuseUnknown(besides: ScenarioKey.names(in: .app))
        reader.require("app", of: .app, fix: "Write \"com.example.news\" for example.")
        // The rest is read too, so that one reading finds everything.
        let identifier = reader.app("app")
        var app = ScenarioApp(identifier ?? AppIdentifier(checked: "unknown"))
        if let pushes = reader.dictionary("pushes", example: "{\"perHour\": 2.5}") { app.pushes = readPushes(pushes) }
        set(&app.pushTakes, reader.duration("pushTakes", in: Self.oneDay, example: "5s"))
        if let fetch = reader.dictionary("fetch", example: "{\"minimumInterval\": \"1h\"}") {
            app.fetch = readFetch(fetch)
        }
        set(&app.syncsWhenOpened, reader.boolean("syncsWhenOpened"))
        let example = "[{\"identifier\": \"com.example.news.refresh\"}]"
        for task in reader.dictionaries("tasks", example: example) ?? []
        where problems.problems.count < ScenarioLimits.problems {
            guard let read = readTask(task, fetches: app.fetch != nil) else { continue }
            if let owner = owners.updateValue(app.app, forKey: read.identifier) {
                problems.error(
                    .invalidValue, task.key("identifier"),
                    owner == app.app
                        ? "The task \(read.identifier) is there twice."
                        : "The task \(read.identifier) belongs to \(owner) already.",
                    fix: "Give it an identifier of its own.")
            }
            app.tasks.append(read)
        }
        if case .array(let elements)? = reader.value("tasks") {
            if app.tasks.count < elements.count { isComplete = false }
        } else if reader.has("tasks") {
            isComplete = false
        }
        return identifier == nil ? nil : app
    }

    private func readPushes(_ reader: KeyedReader) -> PushTraffic? {
        reader.refuseUnknown(besides: ScenarioKey.names(in: .pushes))
        reader.require("perHour", of: .pushes, fix: "Write 2.5 for example.")
        var traffic = PushTraffic(perHour: reader.number("perHour", in: 0...1_000) ?? 0)
        set(&traffic.from, reader.timeOfDay("from"))
        set(&traffic.to, reader.timeOfDay("to"))
        guard traffic.from < traffic.to else {
            let to = ScenarioTime.text(timeOfDay: traffic.to)
            return reader.invalid(
                reader.has("from") ? "from" : "to", "They would end before they begin.",
                fix: "Write a time before \(to); pushes over midnight begin at 00:00 and end at 24:00.")
        }
        return traffic
    }

    private func readFetch(_ reader: KeyedReader) -> ScenarioFetch? {
        reader.refuseUnknown(besides: ScenarioKey.names(in: .fetch))
        var fetch = ScenarioFetch(minimumInterval: .zero)
        let intervals = Duration.zero...Duration.days(30)
        set(&fetch.minimumInterval, reader.duration("minimumInterval", in: intervals, example: "1h"))
        set(&fetch.takes, reader.duration("takes", in: Self.oneDay, example: "5s"))
        set(&fetch.newData, reader.chance("newData"))
        set(&fetch.fails, reader.chance("fails"))
        guard fetch.newData + fetch.fails <= 1 else {
            return reader.invalid(
                reader.has("fails") ? "fails" : "newData", "newData and fails are more than 1 together.",
                fix: "Write two shares of all fetches that are at most 1 together.")
        }
        return fetch
    }

    // MARK: Tasks

    private func readTask(_ reader: KeyedReader, fetches: Bool) -> ScenarioTask? {
        reader.refuseUnknown(besides: ScenarioKey.names(in: .task))
        reader.require("identifier", of: .task, fix: "Write \"com.example.news.refresh\" for example.")
        let identifier = reader.task("identifier")
        let kind = reader.word("kind", as: TaskKind.self) ?? .appRefresh
        var task = ScenarioTask(identifier ?? TaskIdentifier(checked: "unknown"), kind: kind)
        task.every = reader.duration("every", in: .seconds(60)...DurationText.longest, example: "15m")
        if kind == .continuedProcessing, reader.has("every") {
            problems.error(
                .invalidValue, reader.key("every"), "Continued processing is begun by a person and cannot recur.",
                fix: "Remove this key, or choose another kind.")
        }
        set(&task.takes, readTakes(reader))
        set(&task.cost, reader.number("cost", in: 0...1_000))
        set(&task.succeeds, reader.chance("succeeds"))
        set(&task.requiresNetworkConnectivity, reader.boolean("requiresNetworkConnectivity"))
        set(&task.requiresExternalPower, reader.boolean("requiresExternalPower"))
        set(&task.ignoresExpiration, reader.boolean("ignoresExpiration"))
        set(&task.retriesFailures, reader.boolean("retry"))
        if task.retriesFailures, !reader.has("every") {
            problems.warning(
                .withoutEffect, reader.key("retry"), "Only a declared recurrence is retried.",
                fix: "Add every, or remove this key.")
        }
        task.submissions = readSubmissions(reader, fetches: fetches)
        return identifier == nil ? nil : task
    }

    /// A duration, or the two between which it is.
    private func readTakes(_ reader: KeyedReader) -> ClosedRange<Duration>? {
        guard case .array(let elements)? = reader.value("takes") else {
            return reader.duration("takes", in: Self.oneDay, example: "20s").map { $0...$0 }
        }
        let fix = "Write \"20s\", or the shortest and the longest, such as [\"10s\", \"40s\"]."
        let durations = elements.compactMap { element -> Duration? in
            guard case .string(let text) = element else { return nil }
            return DurationText.parse(text)
        }
        guard elements.count == 2, durations.count == 2 else {
            return reader.invalid("takes", "These are not two durations.", fix: fix)
        }
        guard durations[0] <= durations[1] else {
            return reader.invalid("takes", "The first is longer than the second.", fix: fix)
        }
        guard durations[1] <= ScenarioLimits.day else {
            return reader.invalid("takes", "The second is too long.", fix: "Write at most \"1d\".")
        }
        return durations[0]...durations[1]
    }

    private func readSubmissions(_ reader: KeyedReader, fetches: Bool) -> [SubmissionRule] {
        guard let readers = reader.dictionaries("submit", example: "[{\"when\": \"run\", \"after\": \"30m\"}]") else {
            return []
        }
        guard readers.count <= ScenarioLimits.submissions else {
            reader.tooMany(
                "submit", readers.count, "times to submit", limit: ScenarioLimits.submissions,
                fix: "Leave some out.")
            return []
        }
        return readers.compactMap { rule in
            rule.refuseUnknown(besides: ScenarioKey.names(in: .submission))
            rule.require("when", of: .submission, fix: "Write \"run\" for example.")
            let after = rule.duration("after", in: Duration.zero...Duration.days(365), example: "30m") ?? .zero
            let isAnchored = rule.boolean("anchored") ?? false
            let choice = rule.word("ifPending", as: PendingChoice.self) ?? .replace
            guard let when = rule.word("when", as: SubmissionRule.Trigger.self) else { return nil }
            if when == .fetch, !fetches {
                problems.warning(
                    .withoutEffect, rule.key("when"), "The app has no fetch, so that this never happens.",
                    fix: "Give the app a fetch, or choose another time.")
            }
            return SubmissionRule(when: when, after: after, isAnchored: isAnchored, ifPending: choice)
        }
    }
}
