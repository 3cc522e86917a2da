import Scheduling
import TestSupport

/// What may happen in one step.
extension RandomHistory {
    mutating func step() {
        if scheduler.phase == .draining || isStoreDown {
            if random.chance(60) { hostStep() } else { timeStep() }
            return
        }
        switch random.below(100) {
        case ..<22: submit()
        case ..<28: cancel()
        case ..<34: simulate()
        case ..<39: expire()
        case ..<64: hostStep()
        case ..<76: timeStep()
        case ..<85: deviceStep()
        case ..<91: personStep()
        case ..<98: manifestStep()
        default: drainStep()
        }
    }

    // MARK: - Callers

    private mutating func submit() {
        let identifier = random.pick(Self.identifiers)
        var request = TaskRequest(identifier: identifier)
        if random.chance(60) { request.floor = now.wall.advanced(by: .seconds(random.below(150) - 20)) }
        if random.chance(2) { request.floor = WallTime(milliseconds: -1) }
        request.requiresNetworkConnectivity = random.chance(15)
        request.requiresExternalPower = random.chance(15)
        if random.chance(10) { request.kind = random.pick(TaskKind.allCases) }
        if identifier == Self.render || identifier == Self.live {
            request.title = "Render"
            request.strategy = random.chance(50) ? .fail : .queue
        }
        let choice = random.pick(PendingChoice.allCases)
        let by = random.chance(90) ? nil : random.pick([Fixture.app, Fixture.tools, Self.plug])
        // Time comes first, so that a refusal is the only thing that this event does.
        feed(.timePassed, settles: false)
        let before = scheduler.pending(identifier)
        let call = call()
        feed(.requestSubmitted(request, SubmissionOptions(ifPending: choice, by: by), call: call), settles: false)
        for case .reply(call, .refused) in uncommitted.last?.effects ?? []
        where scheduler.pending(identifier) != before {
            problems.append("a refused submission changed what is pending for \(identifier)")
        }
        settle()
    }

    private mutating func cancel() {
        if random.chance(15) {
            feed(.allRequestsCancelled(app: random.pick([nil, Fixture.app, Fixture.tools]), call: call()))
        } else {
            feed(.requestCancelled(random.pick(Self.identifiers), by: nil, call: call()))
        }
    }

    private mutating func simulate() {
        let options = SimulationOptions(submit: random.chance(50), budget: random.chance(50))
        feed(.launchSimulated(random.pick(Self.identifiers), options, call: call()))
    }

    private mutating func expire() {
        let identifier = random.pick(Self.identifiers)
        if random.chance(50) {
            feed(.expirationSimulated(identifier, random.pick(ExpirationReason.allCases), call: call()))
        } else {
            feed(.stopAsked(identifier: identifier, run: nil, call: call()))
        }
    }

    // MARK: - Hosts

    mutating func hostStep() {
        if process != nil, random.chance(35) {
            processStep()
            return
        }
        guard let run = hosts.keys.sorted().randomElement(&random), let host = hosts[run] else {
            timeStep()
            return
        }
        switch host.code {
        case .starting where host.isLost: failStart(run, host.identifier)
        case .starting:
            if random.chance(75) {
                hosts[run]?.code = .entered
                feed(.handlerEntered(run, nil))
            } else {
                failStart(run, host.identifier)
            }
        case .entered:
            switch random.below(10) {
            case ..<5:
                hosts[run]?.code = .completed
                feed(.runCompleted(run, random.pick(RunResult.allCases), message: nil, call: call()))
            case ..<7: feed(.progressed(run, RunProgress(fraction: Double(random.below(100)) / 100)))
            default: endCode(run, host)
            }
        case .completed:
            if random.chance(20) {
                feed(.runCompleted(run, .succeeded, message: nil, call: call()))
            } else {
                endCode(run, host)
            }
        }
    }

    /// The code of a run is over, and so is its host.
    private mutating func endCode(_ run: RunIdentifier, _ host: Host) {
        hosts[run] = nil
        if host.isCommand {
            let exits: [ProcessExit] = [.code(0), .code(1), .code(143), .signal(9), .signal(15)]
            feed(.processExited(run, random.pick(exits)))
        } else if host.process != nil {
            // Only a completion, which may be late, tells that the code is over.
            feed(.runCompleted(run, .succeeded, message: nil, call: call()))
        } else {
            feed(.handlerReturned(run))
        }
    }

    private mutating func failStart(_ run: RunIdentifier, _ identifier: TaskIdentifier) {
        feed(.timePassed, settles: false)
        guard let record = scheduler.liveRun(run), record.state == .starting else { return }
        let newer = scheduler.pending(identifier).flatMap { $0.maker == .caller ? $0 : nil }
        hosts[run] = nil
        feed(.startFailed(run, reason: "no such file"), settles: false)
        let pending = scheduler.pending(identifier)
        if let newer {
            let isClaimed = scheduler.activeRuns.contains { $0.request.submission == newer.submission }
            if pending != newer, !isClaimed {
                problems.append("a failed start of \(identifier) replaced a newer request")
            }
        } else if record.claimCancelled || record.attempt >= 3 {
            if pending?.submission == record.request.submission {
                problems.append("a request of \(identifier) came back that was cancelled or given up")
            }
        } else if pending == nil, scheduler.activeRuns.allSatisfy({ $0.identifier != identifier }) {
            problems.append("a failed start of \(identifier) lost its request")
        }
        settle()
    }

    // MARK: - Time

    mutating func timeStep() {
        switch random.below(20) {
        case 0:
            let jump = Duration.seconds(random.below(7_200) - 3_600)
            now.wall = now.wall.advanced(by: jump)
            feed(.clockJumped(milliseconds: jump.wholeMilliseconds))
        case 1:
            pass(random.below(1_000_000), asleep: true)
            feed(.timePassed)
        case 2...10:
            pass(Int(min(timeToWakeup ?? 1_000, 600_000)))
            feed(.timePassed)
        default:
            pass(random.below(15_000))
            feed(.timePassed)
        }
    }

    mutating func pass(_ milliseconds: Int, asleep: Bool = false) {
        let milliseconds = Int64(milliseconds)
        now.wall.milliseconds += milliseconds
        now.boot.milliseconds += milliseconds
        if !asleep { now.awake.milliseconds += milliseconds }
    }

    var timeToWakeup: Int64? {
        let wakeup = scheduler.nextWakeup
        var next = Int64.max
        if let wall = wakeup.wall { next = min(next, wall.milliseconds - now.wall.milliseconds) }
        if let boot = wakeup.boot { next = min(next, boot.milliseconds - now.boot.milliseconds) }
        if let awake = wakeup.awake { next = min(next, awake.milliseconds - now.awake.milliseconds) }
        return next == .max ? nil : max(0, next)
    }

    // MARK: - The device, people and manifests

    private mutating func deviceStep() {
        let values: [(DeviceCondition, ConditionValue)] = [
            (.externalPower, .flag(random.chance(50))), (.network, .network(random.pick(NetworkState.allCases))),
            (.idle, .flag(random.chance(50))), (.lowPowerMode, .flag(random.chance(50))),
            (.batteryLevel, .level(Double(random.below(100)) / 100)), (.backgroundRefresh, .flag(random.chance(70))),
        ]
        let (condition, value) = random.pick(values)
        let source = random.chance(80) ? "kernel" : "script"
        switch random.below(10) {
        case ..<5: feed(.conditionReported(condition, value, source: source, validFor: nil, call: nil))
        case 5: feed(.conditionReported(condition, nil, source: source, validFor: nil, call: nil))
        case 6: feed(.sourceLost(source))
        case 7, 8:
            let lasting = random.chance(70) ? Duration.seconds(random.below(120)) : nil
            feed(.conditionOverridden(condition, value, lasting: lasting, call: call()))
        default: feed(.overrideCleared(random.chance(50) ? condition : nil, call: call()))
        }
    }

    private mutating func personStep() {
        let app = random.pick([Fixture.app, Fixture.tools, Self.plug])
        switch random.below(9) {
        case 0: feed(.paused(app: random.chance(50) ? app : nil, call: call()))
        case 1...3: feed(.resumed(app: random.chance(50) ? app : nil, call: call()))
        case 4: feed(.appForceQuit(app, call: call()))
        case 5: feed(.appOpened(app, call: call()))
        case 7: if random.chance(50) { endAppLeftover() } else { feed(.quarantineLifted(Self.plug, call: call())) }
        case 6: feed(.refreshSwitched(app, enabled: random.chance(60), call: call()))
        default:
            if let leftover = leftovers.popLast() { feed(.leftoverGone(leftover.identifier)) }
        }
    }

    private mutating func manifestStep() {
        switch random.below(10) {
        case ..<2: feed(.appRemoved(random.pick([Fixture.app, Fixture.tools, Self.plug])))
        case ..<4: feed(.appLoaded(Self.commands(random.below(2))))
        case 4: feed(.appLoaded(Self.plugin(random.below(2))))
        case ..<7:
            isLaunching = true
            feed(.appLoaded(Self.embedded(random.below(2))))
        default: launchLate()
        }
    }

    /// A launch that finishes at last, or a registration on demand.
    private mutating func launchLate() {
        if isLaunching {
            finishLaunching()
        } else {
            // An API that cannot say the kind leaves it to be inferred.
            let saysKind = random.chance(50)
            let registration = HandlerRegistration(
                identifier: Self.render.text, app: Fixture.app, kind: saysKind ? .continuedProcessing : nil,
                origin: "Main.swift:2", infersKind: saysKind ? nil : true)
            feed(.handlerRegistered(registration, call: call()))
        }
    }

    private mutating func drainStep() {
        if random.chance(40) { feed(.drainBegan(grace: .seconds(10))) }
    }
}

extension [RunIdentifier] {
    fileprivate func randomElement(_ random: inout SplitMix64) -> RunIdentifier? {
        isEmpty ? nil : self[random.below(count)]
    }
}
