/// What is kept of an app over restarts: what a person chose, and what it used.
package struct AppFacts: Hashable, Sendable, Codable {
    package var app: AppIdentifier
    package var pausedAt: WallTime?
    package var forceQuitAt: WallTime?
    package var refreshDisabledAt: WallTime?
    package var quarantinedAt: WallTime?
    package var quarantineReason: String?
    /// The bundle that was put into quarantine; another one ends it.
    package var quarantinedHash: String?
    package var lastOpenedAt: WallTime?
    /// Since when it counts as not opened, if nobody ever opened it; kept under a policy that asks.
    package var firstSeenAt: WallTime?
    /// When its bundle was found to be gone (B42).
    package var missingSince: WallTime?
    /// The rolling day of scheduled run time: `usedMilliseconds` since `usageDayStart`.
    package var usageDayStart: WallTime?
    package var usedMilliseconds: Int64 = 0
    /// Times of misbehaviours within the last 24 hours.
    package var misbehaviours: [WallTime] = []
    /// What was learned from its opens; nil under a policy that does not learn.
    package var usage: AppUsage?
    /// What its runs have taken of its energy budget (`apple`).
    package var energy: EnergyUse?
    /// What its runs took lately, and its expedited work (`doze`).
    package var quota: QuotaUse?
    package var expedited: QuotaUse?
    /// When its last run that needs a network started (`doze`).
    package var lastNetwork: TimeStamp?
    /// When its last scheduled runs started, where a policy limits their rate.
    package var lastRefresh: TimeStamp?
    package var lastProcessing: TimeStamp?
    /// Tasks whose last run went on after its grace period; nil when there are none.
    package var late: [LateHandler]?
    /// The last finished launch: what recovery compares with (01, *Recovery*).
    package var lastLaunch: LaunchFacts?
    /// What its process registered at its last finished launch.
    package var registered: RegisteredSet?
    /// Why it was recovered, until its process has been told (01, *Recovery*).
    package var owedRecovery: RecoveryCause?
    /// Its process, so that the next runner starts none beside it.
    package var process: ProcessMark?

    package init(app: AppIdentifier) {
        self.app = app
    }

    /// With its moments on this boot's clock.
    func rebased(to now: Moment, in boot: BootIdentifier) -> AppFacts {
        var facts = self
        facts.energy = energy?.rebased(to: now, in: boot)
        facts.quota = quota?.rebased(to: now, in: boot)
        facts.expedited = expedited?.rebased(to: now, in: boot)
        facts.lastNetwork = lastNetwork?.rebased(to: now, in: boot)
        facts.lastRefresh = lastRefresh?.rebased(to: now, in: boot)
        facts.lastProcessing = lastProcessing?.rebased(to: now, in: boot)
        return facts
    }

    /// A quarantine that a person lifted, or that other files end.
    mutating func endQuarantine() {
        quarantinedAt = nil
        quarantineReason = nil
        quarantinedHash = nil
    }
}

/// What was true when an app's launch finished.
package struct LaunchFacts: Hashable, Sendable, Codable {
    package var bootIdentifier: BootIdentifier
    package var osVersion: String
    package var runnerVersion: String
    package var bundleHash: String

    package init(bootIdentifier: BootIdentifier, osVersion: String, runnerVersion: String, bundleHash: String) {
        self.bootIdentifier = bootIdentifier
        self.osVersion = osVersion
        self.runnerVersion = runnerVersion
        self.bundleHash = bundleHash
    }
}

/// What is kept of one task over restarts.
package struct TaskFacts: Hashable, Sendable, Codable {
    package var identifier: TaskIdentifier
    /// The anchor of B37: when its last scheduled run started.
    package var lastScheduledStart: WallTime?
    /// The end of the period of its pending occurrence, under a policy with periods (`doze`).
    package var periodEnd: WallTime?
    /// Retries in a row (B38).
    package var retries: Int = 0
    /// Re-arms that were refused in a row (B37).
    package var refusedRearms: Int = 0
    /// Since when its pending request is not permitted or its app is missing (B42).
    package var strandedSince: WallTime?

    package init(identifier: TaskIdentifier) {
        self.identifier = identifier
    }
}

/// What is kept of the runner itself.
package struct RunnerFacts: Hashable, Sendable, Codable {
    package var pausedAt: WallTime?
    /// Numbers below this may have been given out.
    package var nextSubmission: Int64 = 1
    /// As it was when these facts were stored last; the runs themselves say more.
    package var nextRun: Int64 = 1
    /// What the last start saw; recovery compares with it.
    package var lastStart: LaunchFacts?
    /// Whether the last daemon ended by draining.
    package var stoppedCleanly = true
    package var overrides: [ConditionOverride] = []
    /// What was seen to live on when this runner started, by task; the next start looks for it again.
    package var leftovers: [Leftover] = []
    /// Under a policy with windows: what is planned (B20).
    package var windows: WindowState?

    package init() {}
}

/// A run whose processes may live on though its runner died.
package struct Leftover: Hashable, Sendable, Codable {
    package var identifier: TaskIdentifier
    package var app: AppIdentifier
    package var run: RunIdentifier
    package var process: ProcessMark?

    package init(_ record: RunRecord) {
        identifier = record.identifier
        app = record.app
        run = record.run
        process = record.process
    }
}

/// A condition that a person set by hand, with its end.
package struct ConditionOverride: Hashable, Sendable, Codable {
    package var condition: DeviceCondition
    package var value: ConditionValue
    package var since: WallTime
    package var until: BootTime?
    /// The boot that `until` counts from; under another the override is over.
    package var bootIdentifier: BootIdentifier

    package init(
        condition: DeviceCondition, value: ConditionValue, since: WallTime, until: BootTime?,
        bootIdentifier: BootIdentifier
    ) {
        self.condition = condition
        self.value = value
        self.since = since
        self.until = until
        self.bootIdentifier = bootIdentifier
    }
}

/// A change of a device condition, for history.
package struct DeviceChange: Hashable, Sendable, Codable {
    package var at: WallTime
    package var condition: DeviceCondition
    package var value: ConditionValue?
    package var source: String
    package var overridden: Bool

    package init(at: WallTime, condition: DeviceCondition, value: ConditionValue?, source: String, overridden: Bool) {
        self.at = at
        self.condition = condition
        self.value = value
        self.source = source
        self.overridden = overridden
    }
}

/// Why a runner or an app finds itself started again.
public enum RecoveryCause: String, Sendable, Codable, CaseIterable {
    /// The machine was started again.
    case reboot
    /// The operating system has another version than at the last launch.
    case osUpgrade
    /// Runner has another version than at the last launch.
    case runnerUpgrade
    /// The process before this one ended by a failure.
    case crash
}
