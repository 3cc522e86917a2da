import RPC
package import Scheduling

/// What the engine tells subscribers.
extension Engine {
    /// Numbers what was published, and hands it to those who want it.
    package func tell(_ notice: Notice, at now: Moment) {
        events.record(notice, at: now)
        deliverEvents()
    }

    /// A line of a run, or of an app outside of its runs, was kept, and begins there.
    package func lineKept(at position: LogPosition, of app: AppIdentifier) {
        let isNews = events.recordLine(at: position, of: app, now: clock.now()) {
            scheduler.liveRun(position.run)?.identifier
        }
        guard isNews, control?.hasSubscriptions == true else { return }
        inTurn { $0.deliverEvents() }
    }

    /// What was held back and is due goes out.
    func tellDue(at now: Moment) {
        events.recordDue(at: now)
        deliverEvents()
    }

    /// When something is to be told, if anybody listens.
    var eventDeadline: BootTime? {
        control?.hasSubscriptions == true ? events.deadline : nil
    }

    /// `{status, pending, running}`, of some tasks or of all.
    func snapshot(of identifiers: Set<TaskIdentifier>?) throws(RPCError) -> [UInt8] {
        let most = ConnectionLimits.snapshotRequests
        guard identifiers != nil || scheduler.pendingCount <= most else {
            throw .limitExceeded(
                .snapshot,
                "A snapshot has \(most) pending requests at most; name the tasks in 'identifiers', or subscribe without it "
                    + "and read 'pending' in pages.")
        }
        let requests =
            identifiers.map { $0.sorted().compactMap { scheduler.pending($0) } }
            ?? scheduler.pending(app: nil, after: 0, limit: most).requests
        let runs = scheduler.activeRuns.filter { identifiers?.contains($0.identifier) ?? true }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("status")
        writer.beginObject()
        writeStatus(into: &writer)
        writer.endObject()
        writer.member("pending", requests)
        writer.key("running")
        writer.beginArray()
        for run in runs { writer.value(run, remaining: remaining(of: run)) }
        writer.endArray()
        writer.endObject()
        return writer.bytes
    }

    private func deliverEvents() {
        guard let control, control.hasSubscriptions else {
            events.skipDelivery()
            return
        }
        while let event = events.nextUndelivered() { control.deliver(event, self) }
    }
}
