import Plugins
import Scheduling

/// The apps and tasks that a scenario has, for what names them.
struct ScenarioNames {
    let apps: Set<AppIdentifier>
    let tasks: [TaskIdentifier: ScenarioTask]

    /// Whether they are all; another problem may have kept some from being read.
    let isComplete: Bool

    init(_ scenario: Scenario, isComplete: Bool) {
        self.isComplete = isComplete
        apps = Set(scenario.apps.map(\.app))
        var tasks: [TaskIdentifier: ScenarioTask] = [:]
        for app in scenario.apps {
            for task in app.tasks { tasks[task.identifier] = task }
        }
        self.tasks = tasks
    }

    /// The app that a key names, if it is there.
    func app(_ name: String, in reader: KeyedReader) -> AppIdentifier? {
        guard let app = reader.app(name) else { return nil }
        guard isComplete, !apps.contains(app) else { return app }
        return reader.invalid(name, "There is no app \(app).", fix: fix(for: app))
    }

    /// The task that a key names, if it is there.
    func task(_ name: String, in reader: KeyedReader) -> ScenarioTask? {
        guard let identifier = reader.task(name) else { return nil }
        if let task = tasks[identifier] { return task }
        guard isComplete else { return nil }
        let nearest = NearestName.nearest(to: identifier.text, among: tasks.keys.map(\.text))
        return reader.invalid(
            name, "No app has a task \(identifier).",
            fix: nearest.map { "Did you mean \"\($0)\"?" } ?? "Add it to the tasks of an app.")
    }

    func fix(for app: AppIdentifier) -> String {
        let nearest = NearestName.nearest(to: app.text, among: apps.map(\.text))
        return nearest.map { "Did you mean \"\($0)\"?" } ?? "Add it to the apps."
    }

    /// The app or task of an action that is not there.
    func missing(from action: ScenarioAction) -> String? {
        switch action {
        case .open(let app), .forceQuit(let app), .push(let app), .transfer(let app, _), .refreshSwitch(let app, _):
            apps.contains(app) ? nil : app.text
        case .submit(let request, _, _): tasks[request.identifier] == nil ? request.identifier.text : nil
        case .cancel(let task): tasks[task] == nil ? task.text : nil
        case .use, .setCondition, .openWindow, .reboot, .osUpgrade, .setClock, .crash, .loseSource: nil
        }
    }
}
