import RPC
import Scheduling

/// What `debug` shows of the engine.
extension Engine {
    func writeState(into writer: inout JSONWriter) {
        let figures = scheduler.figures
        writer.beginObject()
        writer.member("instance", instance)
        writer.member("phase", scheduler.phase.rawValue)
        writer.member("policy", scheduler.policy.name)
        writer.key("scheduler")
        writer.value(figures)
        writer.key("store")
        writer.object { writer in
            writeStore(into: &writer)
            writer.member("uncommitted", barrier.gathering.changes.count)
            writer.member("committing", barrier.committing?.changes.count ?? 0)
            writer.member("held", barrier.gathering.deferred.count + (barrier.committing?.deferred.count ?? 0))
        }
        writer.member("calls", callCount)
        writer.member("waits", waiters.count)
        writer.key("control")
        writer.object { writer in
            writer.member("connections", control?.connectionCount ?? 0)
            writer.member("subscriptions", control?.subscriptions.count ?? 0)
        }
        writer.key("events")
        writer.object { writer in
            writer.member("sequence", events.sequence)
            writer.member("oldest", events.oldestPlace)
        }
        writer.endObject()
    }
}

extension JSONWriter {
    fileprivate mutating func value(_ figures: Scheduler.Figures) {
        beginObject()
        member("pending", figures.pending)
        member("registered", figures.registered)
        member("running", figures.running)
        member("apps", figures.apps)
        member("stranded", figures.stranded)
        member("waitingForWall", figures.waitingForWall)
        member("waitingForBoot", figures.waitingForBoot)
        member("waitingForEvents", figures.waitingForEvents)
        member("ready", figures.ready)
        member("rearms", figures.rearms)
        member("runDeadlines", figures.runDeadlines)
        member("simulationsAwaitingLaunch", figures.simulationsAwaitingLaunch)
        member("leftovers", figures.leftovers)
        member("slotsTaken", figures.slotsTaken)
        member("slots", figures.slots)
        member("heldBy", figures.heldBy?.rawValue)
        member("nextSubmission", figures.nextSubmission)
        member("nextRun", figures.nextRun)
        key("wakeup")
        beginObject()
        member("wall", date: figures.wakeup.wall?.milliseconds)
        member("bootMilliseconds", figures.wakeup.boot?.milliseconds)
        member("awakeMilliseconds", figures.wakeup.awake?.milliseconds)
        endObject()
        endObject()
    }
}
