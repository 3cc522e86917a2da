import Scheduling

/// What handlers do.
extension VirtualDevice {
    mutating func launch(_ order: LaunchOrder) {
        guard let place = place(of: order.identifier) else { return }
        let task = scenario.apps[place.app].tasks[place.task]
        launchCount += 1
        if let request = shadow?.runs[order.run]?.request { gates?.launched(order, request, at: clock.now) }
        if happens(faults.failedStarts) {
            feed(.startFailed(order.run, reason: "it could not be started"))
            return
        }
        let takes = draw(task.takes)
        let succeeds = task.succeeds >= 1 || unit() < task.succeeds
        runs[order.run] = VirtualRun(app: place.app, task: place.task, isInProcess: order.host == .process)
        apps[place.app].runsInFlight += 1
        lastStarts[order.identifier] = clock.now.wall
        wake(place.app, .run)
        feed(.handlerEntered(order.run, nil))
        let dies = happens(faults.deaths)
        agenda.add(
            .runEnds(order.run, dies ? .signal(9) : .code(succeeds ? 0 : 1)),
            at: clock.time + (dies ? takes / 2 : takes))
        follow(.run, app: place.app, task: place.task)
        grant(place.app)
    }

    mutating func expire(_ run: RunIdentifier) {
        guard let code = runs[run], !scenario.apps[code.app].tasks[code.task].ignoresExpiration else { return }
        // It stops its work and completes.
        agenda.add(.runEnds(run, .code(1)), at: clock.time + 200)
    }

    mutating func runEnds(_ run: RunIdentifier, _ exit: ProcessExit) {
        guard let code = runs.removeValue(forKey: run) else { return }
        apps[code.app].runsInFlight -= 1
        switch exit {
        case _ where !code.isInProcess: feed(.processExited(run, exit))
        case .code(let status):
            feed(.runCompleted(run, status == 0 ? .succeeded : .failed, message: nil, call: nil))
        case .signal: processDies(code.app)
        }
        let task = scenario.apps[code.app].tasks[code.task]
        if task.kind == .appRefresh, exit == .code(0) {
            recorder?.synced(apps[code.app].scenario.app, .refresh, clock.now)
        }
        follow(.end, app: code.app, task: code.task)
    }

    // MARK: Processes

    mutating func startProcess(_ order: ProcessOrder) {
        guard let app = index(of: order.app) else { return }
        feed(.processStarted(order.app, order.process, nil))
        apps[app].process = order.process
        agenda.add(.processReady(app: app, order.process), at: clock.time + 50)
    }

    mutating func processReady(_ app: Int, _ number: ProcessNumber) {
        guard !isOff, apps[app].process == number else { return }
        let content = apps[app].scenario
        feed(.appConnected(content.app, number))
        for task in content.tasks {
            feed(
                .handlerRegistered(
                    HandlerRegistration(
                        identifier: task.identifier.text, app: content.app, kind: task.kind, origin: "scenario"),
                    call: nextCall()))
        }
        feed(.launchFinished(content.app))
    }

    mutating func endProcess(_ identifier: AppIdentifier, _ number: ProcessNumber, _ cause: StopCause) {
        guard let app = index(of: identifier), apps[app].process == number else { return }
        processEnds(app, cause.isOrderly ? .code(0) : .signal(9))
    }

    private mutating func processDies(_ app: Int) {
        guard apps[app].process != nil else { return }
        processEnds(app, .signal(9))
    }

    private mutating func processEnds(_ app: Int, _ exit: ProcessExit) {
        guard let number = apps[app].process else { return }
        apps[app].process = nil
        for (run, code) in runs where code.app == app && code.isInProcess {
            runs[run] = nil
        }
        apps[app].runsInFlight = runs.values.count { $0.app == app }
        feed(.processGone(apps[app].scenario.app, number, ProcessEnd(exit)))
    }

    /// Submits what the app's rules say when something happens to it, or to one of its tasks.
    mutating func follow(_ trigger: SubmissionRule.Trigger, app: Int, task only: Int? = nil) {
        for (position, task) in scenario.apps[app].tasks.enumerated() where only == nil || only == position {
            for rule in task.submissions where rule.when == trigger {
                let now = clock.now
                let floor =
                    rule.isAnchored
                    ? Recurrence.nextFloor(
                        interval: rule.after, lastStart: lastStarts[task.identifier], now: now.wall, refusals: 0,
                        timing: scheduler.policy.timing) : now.wall.advanced(by: rule.after)
                submit(
                    TaskRequest(
                        identifier: task.identifier, kind: task.kind, floor: floor,
                        requiresNetworkConnectivity: task.requiresNetworkConnectivity,
                        requiresExternalPower: task.requiresExternalPower), rule.ifPending, by: apps[app].scenario.app)
            }
        }
    }

    mutating func submit(_ request: TaskRequest, _ choice: PendingChoice, by app: AppIdentifier?) {
        feed(.requestSubmitted(request, SubmissionOptions(ifPending: choice, by: app), call: nextCall()))
    }

    // MARK: - Chance

    /// From 0 to 1, without 1.
    mutating func unit() -> Double {
        Double(random.next() >> 11) / Double(1 << 53)
    }

    /// A time between two, in milliseconds.
    mutating func draw(_ range: ClosedRange<Duration>) -> Int64 {
        let (low, high) = (range.lowerBound.wholeMilliseconds, range.upperBound.wholeMilliseconds)
        return low == high ? low : low + Int64(random.below(Int(high - low) + 1))
    }
}
