import Scheduling

/// The neighbours of the scheduler: what else starts an app.
extension VirtualDevice {
    /// Whether the device lets apps work in the background now, as far as windows and its lock go.
    var canWakeApps: Bool {
        !isOff && !isLocked && scheduler.letsAppsWork(at: clock.now)
    }

    /// Whether the device was not unlocked since its boot, where that holds apps.
    var isLocked: Bool { scheduler.policy.isApple && conditions[.unlocked] == .flag(false) }

    /// The device's refresh switch and those of the apps, as pushes and fetches are told of them.
    mutating func switchNeighbours() {
        for app in apps.indices {
            let isOn = apps[app].isRefreshOn && conditions[.backgroundRefresh] != .flag(false)
            apps[app].fetch?.switched(on: isOn)
            take(apps[app].pushes.switched(on: isOn), app: app)
        }
    }

    /// Apps take what came for them while the device was locked.
    mutating func grantTransfers() {
        for app in apps.indices {
            let count = apps[app].lockedTransfers
            apps[app].lockedTransfers = 0
            for _ in 0..<count { transferred(app) }
        }
    }

    /// Every app may work now.
    mutating func grantAll() {
        guard canWakeApps else { return }
        for app in apps.indices { grant(app) }
    }

    /// One app may work now: what is held for it comes, and its fetch is called.
    mutating func grant(_ app: Int) {
        if apps[app].pushes.held != nil { take(apps[app].pushes.granted(at: clock.now), app: app) }
        fetch(app)
    }

    /// The app's fetch is called, if it may be.
    mutating func fetch(_ app: Int) {
        guard apps[app].fetch != nil, canWakeApps, conditions[.lowPowerMode] != .flag(true),
            apps[app].fetch?.granted(at: clock.now) == true, let fetch = scenario.apps[app].fetch
        else { return }
        wake(app, .fetch, takes: fetch.takes)
        agenda.add(.fetchEnds(app: app), at: clock.time + max(1, fetch.takes.wholeMilliseconds))
    }

    mutating func pushArrives(_ app: Int) {
        guard !isOff else { return }
        let number = apps[app].pushes.count + 1
        apps[app].pushReports[number] = recorder?.pushSent(apps[app].scenario.app, clock.now)
        take(apps[app].pushes.sent(at: clock.now), app: app)
        if apps[app].pushes.held != nil, canWakeApps { grant(app) }
    }

    mutating func take(_ outcomes: [SilentPushes.Outcome], app: Int, byOpen: Bool = false) {
        for outcome in outcomes {
            switch outcome {
            case .delivered(let push):
                recorder?.pushEnded(apps[app].pushReports.removeValue(forKey: push.number), .delivered(clock.now.wall))
                if !byOpen { wake(app, .push, takes: apps[app].scenario.pushTakes) }
                recorder?.synced(apps[app].scenario.app, .push, clock.now)
                follow(.push, app: app)
            case .superseded(let push):
                recorder?.pushEnded(apps[app].pushReports.removeValue(forKey: push.number), .superseded(clock.now.wall))
            case .discarded(let push, let reason):
                recorder?.pushEnded(
                    apps[app].pushReports.removeValue(forKey: push.number),
                    .discarded(clock.now.wall, reason: reason))
            }
        }
    }

    mutating func fetchEnds(_ app: Int) {
        guard !isOff, let fetch = scenario.apps[app].fetch else { return }
        let drawn = unit()
        let result: FetchResult =
            drawn < fetch.newData ? .newData : drawn < fetch.newData + fetch.fails ? .failed : .noData
        apps[app].fetch?.fetched(result)
        let interval = apps[app].fetch?.interval ?? .zero
        recorder?.fetched(apps[app].scenario.app, result, next: interval, clock.now)
        if result == .newData { recorder?.synced(apps[app].scenario.app, .fetch, clock.now) }
        // Where no window says when, it is due by its own interval.
        if !scheduler.policy.isApple {
            agenda.add(.fetchIsDue(app: app), at: clock.time + interval.wholeMilliseconds)
        }
        follow(.fetch, app: app)
    }

    mutating func askForTransfer(_ app: Int, _ time: Duration) {
        _ = apps[app].transfers.changed(hasPower: hasPower, network: network, at: clock.now)
        let (number, outcomes) = apps[app].transfers.asked(takes: time, at: clock.now)
        apps[app].transferReports[number] = recorder?.transferAsked(apps[app].scenario.app, clock.now)
        take(outcomes, app: app)
    }

    mutating func take(_ outcomes: [DiscretionaryTransfers.Outcome], app: Int) {
        for outcome in outcomes {
            switch outcome {
            case .started(let number): recorder?.transferStarted(apps[app].transferReports[number], clock.now)
            case .paused: break
            case .ended(let number):
                recorder?.transferEnded(apps[app].transferReports.removeValue(forKey: number), clock.now)
                if isLocked { apps[app].lockedTransfers += 1 } else { transferred(app) }
            }
        }
    }

    private mutating func transferred(_ app: Int) {
        wake(app, .transfer)
        follow(.transfer, app: app)
    }

    /// The app is started or resumed; what comes while it works, or within a minute, finds it awake.
    mutating func wake(_ app: Int, _ cause: WakeReport.Cause, takes time: Duration = .zero) {
        let isAwake = clock.time < apps[app].awakeUntil || apps[app].runsInFlight > (cause == .run ? 1 : 0)
        apps[app].awakeUntil = max(apps[app].awakeUntil, clock.time + max(60_000, time.wholeMilliseconds))
        recorder?.woken(apps[app].scenario.app, cause, isNew: !isAwake, clock.now)
    }
}
