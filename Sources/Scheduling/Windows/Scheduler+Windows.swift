extension Scheduler {
    /// When the device next looks at deferred work; `nil` when only an event or a change of the device can tell.
    package var nextWindow: BootTime? { windows.next }

    /// Until when the window that is open now stays open.
    package func openWindow(at now: Moment) -> BootTime? {
        windows.isOpen(at: now) ? windows.openUntil : nil
    }

    /// Whether the device lets apps work in the background at all now, as far as windows go: neighbours ask.
    package func letsAppsWork(at now: Moment) -> Bool {
        !policy.hasWindows || isWindowOpen(at: now)
    }

    /// Whether requests of a kind wait for windows.
    func waitsForWindows(_ kind: TaskKind) -> Bool {
        switch kind {
        case .appRefresh: policy.hasWindows
        case .processing, .healthResearch: policy.isDoze
        case .continuedProcessing: false
        }
    }

    /// Whether deferred work may start, as far as windows go.
    func isWindowOpen(at now: Moment) -> Bool {
        if let doze = policy.doze, !doze.onlyInWindows, !isDozing { return true }
        return windows.isOpen(at: now)
    }

    /// Whether the device is idle on battery, so that work waits for maintenance windows; what is unknown holds (B19).
    var isDozing: Bool {
        device.value(of: .idle) != .flag(false) && device.value(of: .externalPower) != .flag(true)
    }

    /// Opens the windows whose time has come.
    mutating func advanceWindows(to now: Moment) {
        // Before that, the sources have not said how the device is used.
        guard phase != .starting else { return }
        if let apple = policy.apple {
            if windows.advance(to: now, use: deviceUse, apple) { windowOpened(at: now) }
        } else if let doze = policy.doze {
            endRunsAfterWindow(at: now)
            if windows.advance(to: now, isDozing: isDozing || doze.onlyInWindows, doze) { windowOpened(at: now) }
        }
        keepWindows()
    }

    /// An event opens a window.
    mutating func openWindow(lasting length: Duration, at now: Moment) {
        windows.open(at: now.boot, lasting: length)
        keepWindows()
        windowOpened(at: now)
    }

    /// The boot time at which windows need to be looked at, if anybody waits for them or runs by them.
    var windowDeadline: BootTime? {
        let next = waiting.isEmpty(for: .window) ? nil : windows.next
        guard policy.isDoze, !runs.active.isEmpty, let until = windows.openUntil, !windowHasEndedRuns else {
            return next
        }
        return min(next ?? until, until)
    }

    // MARK: - Private

    private var deviceUse: DeviceUse {
        guard device.value(of: .idle) != .flag(false) else { return .inUse }
        return device.value(of: .externalPower) == .flag(true) ? .charging : .idle
    }

    private mutating func keepWindows() {
        guard facts.windows != windows else { return }
        facts.windows = windows
        persist(.putRunner(facts))
    }

    private mutating func windowOpened(at now: Moment) {
        windowHasEndedRuns = false
        publish(.gateChanged(GateChange(.window, .open)))
        reopen(.window, at: now)
    }

    /// What a maintenance window let begin ends with it.
    private mutating func endRunsAfterWindow(at now: Moment) {
        guard let until = windows.openUntil, until <= now.boot, !windowHasEndedRuns else { return }
        windowHasEndedRuns = true
        guard !isWindowOpen(at: now), let opened = windows.openedAt else { return }
        for run in runs.active where runs[run].record.origin == .scheduled {
            let record = runs[run].record
            guard waitsForWindows(record.request.kind), (opened..<until).contains(record.startedBoot) else { continue }
            note(
                .conditionLost, .notice, run, at: now, "The maintenance window ended while the task ran.",
                expected: "Work that fits into a window of some minutes.",
                fix: "Finish in smaller steps, so that the end of a window costs little.")
            expire(run, .conditionLost, at: now)
        }
    }
}
