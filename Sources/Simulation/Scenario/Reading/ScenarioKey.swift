/// A key of a scenario file: the one list from which unknown keys are told, and which `docs/scenarios.md` shows.
struct ScenarioKey: Hashable, Sendable {
    /// What a dictionary of the file is about.
    enum Place: String, Hashable, Sendable, CaseIterable {
        case scenario
        case device
        case budgets
        case window
        case app
        case task
        case submission
        case pushes
        case fetch
        case event
    }

    let place: Place
    let name: String
    /// What its value is, in words.
    let type: String
    /// As it would be written in the file, or in words; empty when it has to be there.
    let standard: String
    /// Sentences.
    let help: String

    private init(_ place: Place, _ name: String, _ type: String, _ standard: String = "", _ help: String) {
        self.place = place
        self.name = name
        self.type = type
        self.standard = standard
        self.help = help
    }

    /// The names that may stand in a dictionary.
    static func names(in place: Place) -> [String] {
        all.filter { $0.place == place }.map(\.name)
    }

    static let all: [ScenarioKey] = scenario + devices + apps + events

    private static let scenario = [
        ScenarioKey(
            .scenario, "extends", "path", "none",
            "A scenario that this one changes: what stands here replaces what stands there, and events are added to its "
                + "events. The path is relative to this file."),
        ScenarioKey(.scenario, "name", "text", "the file's name", "The name."),
        ScenarioKey(.scenario, "start", "date", "`\"2026-01-05\"`", "The first day, such as `\"2026-03-02\"`."),
        ScenarioKey(.scenario, "days", "1 to 4000", "`1`", "How many days are reported."),
        ScenarioKey(
            .scenario, "warmUpDays", "0 to 400", "`0`",
            "Days before the first that are lived and not reported: usage is learned, budgets are used."),
        ScenarioKey(
            .scenario, "utcOffset", "offset", "`\"Z\"`", "The offset of the devices' clocks, such as `\"+01:00\"`."),
        ScenarioKey(
            .scenario, "seed", "whole number", "`1`", "What everything that is left to chance is drawn from."),
        ScenarioKey(
            .scenario, "inUseAfterOpen", "duration", "`\"10m\"`",
            "How long a device is in use, and so not idle, when an app is opened."),
        ScenarioKey(.scenario, "devices", "array", "", "The devices; all live through the same days."),
        ScenarioKey(.scenario, "apps", "array", "", "The apps; all are on every device."),
        ScenarioKey(.scenario, "events", "array", "`[]`", "What happens."),
    ]

    private static let devices = [
        ScenarioKey(.device, "name", "text", "the policy's name", "The name."),
        ScenarioKey(.device, "policy", "word", "`\"prompt\"`", "`prompt`, `apple` or `doze`."),
        ScenarioKey(.device, "parameters", "dictionary", "`{}`", "Figures of the policy, by the names below."),
        ScenarioKey(
            .device, "limits", "word", "the policy's",
            "How many requests may be pending: `generous` (1,000 an app) or `apple` (1 app refresh and 10 processing an "
                + "app)."),
        ScenarioKey(.device, "concurrency", "1 to 1024", "`4`", "How many runs may be in flight at once."),
        ScenarioKey(
            .device, "budgets", "dictionary", "the policy's",
            "How long runs may take: `appRefresh`, `processing`, "
                + "`grace`."),
        ScenarioKey(
            .device, "windows", "array", "generated",
            "The windows of every day in which deferred work is looked at: a time, or `at` and `for`. An empty array is "
                + "none but those of events."),
        ScenarioKey(
            .device, "windowLength", "duration", "`\"2m\"` (`apple`), `\"5m\"` (`doze`)",
            "How long the windows are that do not say it."),
        ScenarioKey(
            .device, "conditions", "dictionary", "`{}`",
            "What is so at the beginning: `externalPower`, `batteryLevel` (0 to 1), `lowPowerMode`, `network` (`none`, "
                + "`metered`, `unmetered`), `idle`, `unlocked`, `thermal` (`nominal`, `fair`, `serious`, `critical`), "
                + "`backgroundRefresh`."),
        ScenarioKey(
            .device, "refreshDisabled", "array", "`[]`",
            "The apps whose background refresh is switched off at the beginning."),
        ScenarioKey(.budgets, "appRefresh", "duration", "`\"30s\"`", "How long an app refresh may take."),
        ScenarioKey(.budgets, "processing", "duration", "`\"10m\"`", "How long processing may take."),
        ScenarioKey(.budgets, "grace", "duration", "`\"5s\"`", "How long an expired run may take to end."),
        ScenarioKey(.window, "at", "time", "", "When it opens."),
        ScenarioKey(.window, "for", "duration", "the device's `windowLength`", "How long it is open."),
    ]

    private static let apps = [
        ScenarioKey(.app, "app", "identifier", "", "The app's identifier."),
        ScenarioKey(.app, "tasks", "array", "`[]`", "Its tasks."),
        ScenarioKey(.app, "pushes", "dictionary", "none", "Silent pushes that its server sends by chance."),
        ScenarioKey(
            .app, "pushTakes", "duration", "`\"5s\"`",
            "How long a push that is delivered keeps the app awake, a minute at least."),
        ScenarioKey(.app, "fetch", "dictionary", "none", "Its legacy fetch."),
        ScenarioKey(
            .app, "syncsWhenOpened", "boolean", "`true`",
            "Whether opening the app brings its content up to date, as its refresh would."),
        ScenarioKey(.task, "identifier", "identifier", "", "The task's identifier, of which there is one."),
        ScenarioKey(
            .task, "kind", "word", "`\"appRefresh\"`",
            "`appRefresh`, `processing`, `continuedProcessing` or `healthResearch`."),
        ScenarioKey(
            .task, "every", "duration", "none", "The interval of a recurrence that the app's manifest declares."),
        ScenarioKey(
            .task, "takes", "duration, or two", "`\"10s\"`",
            "How long a run takes; of two durations, something between them by chance."),
        ScenarioKey(
            .task, "cost", "0 to 1000", "`1`",
            "What a second of a run takes of the app's energy budget, in seconds."),
        ScenarioKey(.task, "succeeds", "0 to 1", "`1`", "How likely a run succeeds."),
        ScenarioKey(
            .task, "requiresNetworkConnectivity", "boolean", "`false`", "Whether its requests wait for a network."),
        ScenarioKey(
            .task, "requiresExternalPower", "boolean", "`false`", "Whether its requests wait for external power."),
        ScenarioKey(
            .task, "ignoresExpiration", "boolean", "`false`", "Whether its handler goes on when it is expired."),
        ScenarioKey(
            .task, "retry", "boolean", "`false`", "Whether a run of the recurrence that failed is tried again."),
        ScenarioKey(.task, "submit", "array", "`[]`", "When the app submits the task's next request."),
        ScenarioKey(
            .submission, "when", "word", "",
            "`launch` (the first start, or after a reboot), `open`, `run` (a run of the task begins), `end` (it ends), "
                + "`push`, `fetch` or `transfer` (it was delivered or is done)."),
        ScenarioKey(.submission, "after", "duration", "`\"0s\"`", "The floor: so long after now."),
        ScenarioKey(
            .submission, "anchored", "boolean", "`false`",
            "Whether the floor counts from the last run and not from now (B37)."),
        ScenarioKey(
            .submission, "ifPending", "word", "`\"replace\"`", "`replace`, `keep` or `keepEarlier` (B12)."),
        ScenarioKey(.pushes, "perHour", "0 to 1000", "", "How many come in an hour, in the mean."),
        ScenarioKey(.pushes, "from", "time", "`\"00:00\"`", "From when on they come."),
        ScenarioKey(.pushes, "to", "time", "`\"24:00\"`", "Until when they come."),
        ScenarioKey(.fetch, "minimumInterval", "duration", "`\"0s\"`", "The shortest time between two fetches."),
        ScenarioKey(.fetch, "takes", "duration", "`\"5s\"`", "How long a fetch takes."),
        ScenarioKey(.fetch, "newData", "0 to 1", "`0.5`", "How likely it finds something new."),
        ScenarioKey(.fetch, "fails", "0 to 1", "`0`", "How likely it fails; else it finds nothing."),
    ]

    private static let events =
        [
            ScenarioKey(.event, "at", "time", "", "When it happens, such as `\"08:45\"`; or `from` and `to`."),
            ScenarioKey(
                .event, "from", "time", "none",
                "When a condition begins; with `to`, which may be a time of the next day."),
            ScenarioKey(.event, "to", "time", "none", "When the condition ends that began at `from`."),
            ScenarioKey(
                .event, "then", "as the condition", "the opposite",
                "What holds from `to` on; needed for `batteryLevel`, `network` and `thermal`."),
            ScenarioKey(
                .event, "day", "1 to 4000, or text", "every day",
                "The day, counted from 1; `\"2-5\"` is those four days. Without it, the days of the warm-up too."),
            ScenarioKey(.event, "days", "array", "every day", "Several of them, such as `[1, 3, \"6-9\"]`."),
            ScenarioKey(
                .event, "spread", "duration", "`\"0s\"`", "How far the time may be off, by chance, to both sides."),
            ScenarioKey(.event, "chance", "0 to 1", "`1`", "How likely it happens, each day."),
        ]
        + EventWord.allCases.map { ScenarioKey(.event, $0.rawValue, $0.type, "none", $0.help) }
        + EventCompanion.allCases.map { companion in
            ScenarioKey(.event, companion.rawValue, companion.type, companion.standard, companion.help)
        }
}
