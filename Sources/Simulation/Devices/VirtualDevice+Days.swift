import Scheduling

/// What happens to the device.
extension VirtualDevice {
    mutating func perform(_ item: Item) {
        switch item {
        case .day(let day): begin(day)
        case .action(let action): if !isCalm { perform(action) }
        case .arrival(let app): pushArrives(app)
        case .runEnds(let run, let exit): runEnds(run, exit)
        case .processReady(let app, let number): processReady(app, number)
        case .becomesIdle(let number):
            guard number == useNumber, !isOff else { return }
            set([ScenarioCondition(.idle, .flag(true))])
        case .fetchEnds(let app): fetchEnds(app)
        case .fetchIsDue(let app): fetch(app)
        case .bootEnds: bootEnds()
        case .sourceReturns: if !isOff { report(DeviceCondition.allCases) }
        }
    }

    /// Puts a day's events on the agenda.
    private mutating func begin(_ day: Int) {
        shadow?.forgetHistory()
        let midnight = clock.time
        for event in scenario.events {
            if let days = event.days, !days.contains(day) { continue }
            if event.chance < 1, unit() >= event.chance { continue }
            var time = event.at.wholeMilliseconds
            let spread = event.spread.wholeMilliseconds
            if spread > 0 { time += Int64(random.below(Int(2 * spread) + 1)) - spread }
            agenda.add(.action(event.action), at: midnight + min(max(time, 0), Self.day - 1))
        }
        for window in device.windows {
            agenda.add(.action(.openWindow(window.length)), at: midnight + window.at.wholeMilliseconds)
        }
        for (position, app) in scenario.apps.enumerated() {
            guard let traffic = app.pushes, traffic.perHour > 0 else { continue }
            // One push at a random time of each interval.
            let interval = max(1_000, Int64(3_600_000 / traffic.perHour))
            var time = traffic.from.wholeMilliseconds
            while time < min(traffic.to.wholeMilliseconds, Self.day) {
                agenda.add(
                    .arrival(app: position), at: midnight + min(time + Int64(random.below(Int(interval))), Self.day - 1)
                )
                time += interval
            }
        }
        agenda.add(.day(day + 1), at: midnight + Self.day)
    }

    private mutating func perform(_ action: ScenarioAction) {
        // A device that is off sees nothing but what is so when it is on again.
        if isOff {
            if case .setCondition(let condition) = action { conditions[condition.condition] = condition.value }
            return
        }
        switch action {
        case .open(let app): open(app)
        case .use(let time): use(for: time)
        case .forceQuit(let app): forceQuit(app)
        case .submit(let request, let floor, let choice):
            var request = request
            switch floor {
            case .timeOfDay(let time):
                request.floor = clock.next(time, utcOffsetSeconds: scenario.utcOffsetSeconds)
            case .after(let time): request.floor = clock.now.wall.advanced(by: time)
            case nil: break
            }
            guard place(of: request.identifier) != nil else { return }
            submit(request, choice, by: place(of: request.identifier).map { apps[$0.app].scenario.app })
        case .cancel(let identifier):
            guard place(of: identifier) != nil else { return }
            feed(.requestCancelled(identifier, by: nil, call: nextCall()))
        case .push(let app): if let app = index(of: app) { pushArrives(app) }
        case .transfer(let app, let time): if let app = index(of: app) { askForTransfer(app, time) }
        case .setCondition(let condition): set([condition])
        case .refreshSwitch(let app, let on): setRefresh(app, on: on)
        case .openWindow(let length): openWindow(lasting: length)
        case .reboot(let off): turnOff(for: off)
        case .osUpgrade(let version, let off):
            osVersion = version
            recorder?.mark(.osUpgrade, clock.now, detail: version)
            turnOff(for: off)
        case .setClock(let change):
            let before = clock.now
            clock.set(by: change)
            recorder?.clockSet(by: change, from: before, to: clock.now)
            gates?.clockSet()
            feed(.clockJumped(milliseconds: change.wholeMilliseconds))
        case .crash:
            recorder?.mark(.crash, clock.now)
            start(.crash)
        case .loseSource(let time):
            gates?.lost(at: clock.now)
            feed(.sourceLost("scenario"))
            agenda.add(.sourceReturns, at: clock.time + time.wholeMilliseconds)
        }
    }

    func index(of app: AppIdentifier) -> Int? {
        scenario.apps.firstIndex { $0.app == app }
    }

    /// Changes what is so, and lets everything hear of it.
    mutating func set(_ changes: [ScenarioCondition]) {
        let changed = changes.filter { conditions[$0.condition] != $0.value }
        guard !changed.isEmpty else { return }
        for change in changed { conditions[change.condition] = change.value }
        // What is not told now is told with the next change.
        unreported += changed.map(\.condition)
        if !happens(faults.lostSignals) { report(unreported) }
        for app in apps.indices {
            take(apps[app].transfers.changed(hasPower: hasPower, network: network, at: clock.now), app: app)
        }
        if changed.contains(where: { $0.condition == .backgroundRefresh }) { switchNeighbours() }
        if !isLocked { grantTransfers() }
        grantAll()
    }

    /// Somebody takes the device into their hands.
    private mutating func use(for time: Duration) {
        let end = clock.time + max(1, time.wholeMilliseconds)
        set([ScenarioCondition(.unlocked, .flag(true)), ScenarioCondition(.idle, .flag(false))])
        guard end > usedUntil else { return }
        usedUntil = end
        useNumber += 1
        agenda.add(.becomesIdle(useNumber), at: end)
    }

    mutating func open(_ identifier: AppIdentifier) {
        guard let app = index(of: identifier) else { return }
        use(for: scenario.inUseAfterOpen)
        recorder?.mark(.opened, clock.now, app: identifier)
        gates?.opened(identifier)
        tell { .appOpened(identifier, call: $0) }
        apps[app].fetch?.opened()
        take(apps[app].pushes.opened(at: clock.now), app: app, byOpen: true)
        if scenario.apps[app].syncsWhenOpened { recorder?.synced(identifier, .open, clock.now) }
        follow(.open, app: app)
    }

    private mutating func forceQuit(_ identifier: AppIdentifier) {
        guard let app = index(of: identifier) else { return }
        recorder?.mark(.forceQuit, clock.now, app: identifier)
        tell { .appForceQuit(identifier, call: $0) }
        // Not before it was answered: a runner that dies of it may start what it did not know to be held.
        gates?.quit(identifier)
        apps[app].fetch?.forceQuit()
        take(apps[app].pushes.forceQuit(), app: app)
    }

    mutating func setRefresh(_ identifier: AppIdentifier, on: Bool) {
        guard let app = index(of: identifier) else { return }
        if on { gates?.switched(identifier, on: on) }
        tell { .refreshSwitched(identifier, enabled: on, call: $0) }
        if !on { gates?.switched(identifier, on: on) }
        apps[app].isRefreshOn = on
        switchNeighbours()
    }

    private mutating func turnOff(for time: Duration) {
        for app in apps.indices { take(apps[app].transfers.turnedOff(at: clock.now), app: app) }
        isOff = true
        recorder?.turnedOff(clock.now)
        runs.removeAll()
        gates?.restarted(isReboot: false, at: clock.now)
        for app in apps.indices {
            apps[app].process = nil
            apps[app].awakeUntil = .min
        }
        agenda.add(.bootEnds, at: clock.time + max(1, time.wholeMilliseconds))
    }

    mutating func bootEnds() {
        isOff = false
        clock.boot()
        recorder?.turnedOn(clock.now)
        recorder?.mark(.reboot, clock.now)
        conditions[.unlocked] = .flag(false)
        conditions[.idle] = .flag(true)
        for app in apps.indices {
            apps[app].pushes.rebooted(at: clock.now)
            apps[app].fetch?.rebooted(at: clock.now)
        }
        switchNeighbours()
        start(.reboot)
        for app in apps.indices {
            take(apps[app].transfers.changed(hasPower: hasPower, network: network, at: clock.now), app: app)
        }
        grantAll()
    }

    var hasPower: Bool { conditions[.externalPower] ?? .flag(true) == .flag(true) }

    var network: NetworkState {
        if case .network(let network) = conditions[.network] { network } else { .unmetered }
    }
}
