/// What follows when the process of an app fails, or cannot be started: it waits, or is put into quarantine.
extension Scheduler {
    /// Counts a failure: the next start waits, and too many in a short time end in quarantine.
    mutating func processFailed(_ app: Int32, _ reason: String, at now: Moment) {
        let identifier = apps[app].identifier
        apps[app].process.lastFailure = reason
        apps[app].process.failures.removeAll { $0.advanced(by: policy.timing.quarantineWindow) <= now.boot }
        apps[app].process.failures.append(now.boot)
        apps[app].process.failuresInARow += 1
        refuseSimulations(of: app, "The process of \(identifier) failed: \(reason).")
        if apps[app].process.failures.count >= policy.timing.quarantineFailures {
            quarantine(app, reason, at: now)
        } else {
            let wait = restartBackoff(of: app, after: apps[app].process.failuresInARow)
            apps[app].process.backoffUntil = now.boot.advanced(by: wait)
            diagnose(
                .processFailed, .error, nil, app: identifier, at: now,
                "The process of \(identifier) failed: \(reason).",
                expected: "A process that registers its handlers and lives until it is asked to exit.",
                fix: "Look at its output: runnerctl log --app \(identifier). It is started again when it is needed, "
                    + "in \(wait.words) at the earliest.")
        }
        judgeWaitingSubmissions(of: app, at: now)
        settleAfterProcess(app, at: now)
    }

    /// Something had run out that the app cannot help: its next start waits, and nothing else follows.
    mutating func processLacked(_ app: Int32, _ reason: String, remedy: String, at now: Moment) {
        let identifier = apps[app].identifier
        let words = "The process of \(identifier) could not be started: \(reason)."
        let times = (apps[app].process.shortage?.times ?? 0) + 1
        apps[app].process.shortage = AppProcess.Shortage(reason: reason, remedy: remedy, times: times)
        refuseSimulations(of: app, words)
        let wait = restartBackoff(of: app, after: times)
        apps[app].process.backoffUntil = now.boot.advanced(by: wait)
        diagnose(
            .resourcesExhausted, .error, nil, app: identifier, at: now, words,
            expected: "A runner that may start the processes of its apps.", fix: remedy)
        judgeWaitingSubmissions(of: app, at: now)
        settleAfterProcess(app, at: now)
    }

    /// A quarantine that a person lifted, or that other files end.
    mutating func forgetFailures(of app: Int32) {
        apps[app].process.failures = []
        apps[app].process.failuresInARow = 0
        apps[app].process.shortage = nil
        apps[app].process.exitedBefore = false
        apps[app].process.backoffUntil = nil
        processBackoffs.remove(app)
    }

    // MARK: - Private

    private mutating func refuseSimulations(of app: Int32, _ words: String) {
        for simulation in takeSimulations(of: app) {
            reply(simulation.call, .refused(Refusal(.launchFailed, words)))
        }
    }

    private mutating func quarantine(_ app: Int32, _ reason: String, at now: Moment) {
        let identifier = apps[app].identifier
        let words =
            "\(apps[app].process.failures.count) failures in \(policy.timing.quarantineWindow.words), "
            + "the last: \(reason)"
        let hash = apps[app].description?.bundleHash
        forgetFailures(of: app)
        changeAppFacts(app) {
            $0.quarantinedAt = now.wall
            $0.quarantineReason = words
            $0.quarantinedHash = hash
        }
        diagnose(
            .quarantined, .error, nil, app: identifier, at: now,
            "\(identifier) is in quarantine: \(words).",
            expected: "A process that registers its handlers and lives until it is asked to exit.",
            fix: "Repair it; it is tried again when its files change, or after runnerctl app resume \(identifier).")
    }

    /// 1 s, doubling to 5 min, and up to a tenth more, so that apps that failed together do not start together.
    private func restartBackoff(of app: Int32, after times: Int) -> Duration {
        let entry = apps.entries[Int(app)]
        let timing = policy.timing
        let doubled = timing.restartBackoff * (1 << min(max(times - 1, 0), 20))
        let wait = min(doubled, timing.restartLongest)
        // FNV-1a over the name and the count: the same history waits the same time.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in entry.identifier.text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash = (hash ^ UInt64(times)) &* 0x100_0000_01B3
        return .milliseconds(wait.wholeMilliseconds + wait.wholeMilliseconds * Int64((hash >> 32) % 101) / 1_000)
    }
}
