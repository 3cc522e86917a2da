import RPC

/// What a daemon can list for the completion of an argument.
enum NamedList: String {
    case registered
    case pending
    case running
    case runs
    case apps

    /// The list whose members a parameter names.
    static func of(_ parameter: String, of method: String) -> NamedList? {
        switch (parameter, method) {
        case ("identifier", ControlMethods.cancel.name), ("identifier", ControlMethods.pending.name): .pending
        case ("identifier", ControlMethods.stop.name), ("identifier", ControlMethods.simulateExpiration.name): .running
        case ("identifier", _): .registered
        case ("run", _): .runs
        case ("app", _): .apps
        default: nil
        }
    }

    /// The method that lists it, the member of its result, and the member of each element.
    private var source: (method: String, list: String, name: String) {
        switch self {
        case .registered: (ControlMethods.registered.name, "identifiers", "identifier")
        case .pending: (ControlMethods.pending.name, "requests", "identifier")
        case .running: (ControlMethods.running.name, "runs", "identifier")
        case .runs: (ControlMethods.running.name, "runs", "run")
        case .apps: (ControlMethods.apps.name, "apps", "app")
        }
    }

    /// The names, as the daemon has them before the deadline.
    func names(from connection: ControlConnection, until deadline: Int64) throws(ControlFailure) -> [String] {
        let (method, list, name) = source
        let result = try connection.call(method, until: deadline)
        return result.elements(list).map { element in
            element[name]?.string.map { Printable.text($0) } ?? element.number(name)
        }
    }
}
