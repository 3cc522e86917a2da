import Scheduling

/// What can happen, by the key that says it; an event has one of these keys.
enum EventWord: String, CaseIterable {
    case open
    case use
    case forceQuit
    case submit
    case cancel
    case push
    case transfer
    case refreshSwitch
    case window
    case reboot
    case osUpgrade
    case setClock
    case crash
    case loseSource
    case externalPower
    case batteryLevel
    case lowPowerMode
    case network
    case idle
    case unlocked
    case thermal
    case backgroundRefresh

    /// The condition that it sets, if it sets one.
    var condition: DeviceCondition? { DeviceCondition(rawValue: rawValue) }

    /// The keys that say more of it.
    var companions: [EventCompanion] { EventCompanion.allCases.filter { $0.word == self } }

    var type: String {
        switch self {
        case .open, .forceQuit, .push, .transfer, .refreshSwitch: "app"
        case .submit, .cancel: "task"
        case .use, .window, .reboot, .loseSource: "duration"
        case .osUpgrade: "text"
        case .setClock: "duration with + or -"
        case .crash: "`true`"
        case .externalPower, .lowPowerMode, .idle, .unlocked, .backgroundRefresh: "boolean"
        case .batteryLevel: "0 to 1"
        case .network, .thermal: "word"
        }
    }

    var help: String {
        switch self {
        case .open: "The app is opened, and the device is in use for a while."
        case .use: "The device is in use for so long, and none of the apps here is opened."
        case .forceQuit: "The app is force quit."
        case .submit: "The app of the task submits a request."
        case .cancel: "The task's pending request is cancelled."
        case .push: "The app's server sends a silent push."
        case .transfer: "The app asks for a discretionary transfer."
        case .refreshSwitch: "The app's refresh switch is turned, as `on` says."
        case .window: "A window opens for so long, on devices whose windows are given."
        case .reboot: "The device is off for so long, and locked after it."
        case .osUpgrade: "The device comes back with this version, locked."
        case .setClock: "The clock is set forward (`\"+1h\"`) or back (`\"-1h\"`)."
        case .crash: "The runner dies, and is started again at once."
        case .loseSource: "The source of the device's conditions is gone for so long."
        case .externalPower: "Whether there is external power."
        case .batteryLevel: "How full the battery is."
        case .lowPowerMode: "Whether Low Power Mode is on."
        case .network: "`none`, `metered` or `unmetered`."
        case .idle: "Whether the device is idle, whatever was opened."
        case .unlocked: "Whether the device was unlocked."
        case .thermal: "`nominal`, `fair`, `serious` or `critical`."
        case .backgroundRefresh: "The refresh switch of the whole device."
        }
    }
}

/// A key of an event that says more of what happens.
enum EventCompanion: String, CaseIterable {
    case earliestBeginDate
    case after
    case ifPending
    case requiresNetworkConnectivity
    case requiresExternalPower
    case strategy
    case takes
    case on
    case off

    /// What it belongs to.
    var word: EventWord {
        switch self {
        case .earliestBeginDate, .after, .ifPending, .requiresNetworkConnectivity, .requiresExternalPower, .strategy:
            .submit
        case .takes: .transfer
        case .on: .refreshSwitch
        case .off: .osUpgrade
        }
    }

    var type: String {
        switch self {
        case .earliestBeginDate: "time"
        case .after, .takes, .off: "duration"
        case .ifPending, .strategy: "word"
        case .requiresNetworkConnectivity, .requiresExternalPower, .on: "boolean"
        }
    }

    var standard: String {
        switch self {
        case .earliestBeginDate, .after: "none"
        case .ifPending: "`\"replace\"`"
        case .requiresNetworkConnectivity, .requiresExternalPower: "the task's"
        case .strategy: "as `\"fail\"`"
        case .takes: "`\"1m\"`"
        case .on: ""
        case .off: "`\"10m\"`"
        }
    }

    var help: String {
        switch self {
        case .earliestBeginDate: "With `submit`: the floor, the next time that clocks show this."
        case .after: "With `submit`: the floor, so long after the submission."
        case .ifPending: "With `submit`: `replace`, `keep` or `keepEarlier` (B12)."
        case .requiresNetworkConnectivity: "With `submit`: whether it waits for a network."
        case .requiresExternalPower: "With `submit`: whether it waits for external power."
        case .strategy: "With `submit` of continued processing: `fail` or `queue` (B29)."
        case .takes: "With `transfer`: how long it takes."
        case .on: "With `refreshSwitch`: whether it is on now; it has to be there."
        case .off: "With `osUpgrade`: how long the device is off."
        }
    }
}
