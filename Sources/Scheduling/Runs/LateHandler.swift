/// A task whose handler went on after its grace period, until a run of it ends in time.
package struct LateHandler: Hashable, Sendable, Codable {
    package var identifier: TaskIdentifier
    /// The last run that did.
    package var run: RunIdentifier
    /// How many runs did, in a row.
    package var times: Int

    /// No more are kept of one app.
    static let most = FindingList.most
}

extension Scheduler {
    /// Notes that a run goes on after its grace period.
    mutating func noteLate(_ run: Int32) {
        let record = runs[run].record
        changeAppFacts(runs[run].app) { facts in
            var late = facts.late ?? []
            var entry = LateHandler(identifier: record.identifier, run: record.run, times: 1)
            if let known = late.firstIndex(where: { $0.identifier == record.identifier }) {
                entry.times += late.remove(at: known).times
            }
            late.append(entry)
            if late.count > LateHandler.most { late.removeFirst() }
            facts.late = late
        }
    }

    /// A run has ended; if that was in time, its handler is no late one any more.
    mutating func forgetLate(_ run: Int32) {
        let (app, record) = (runs[run].app, runs[run].record)
        guard let late = apps[app].facts.late, late.contains(where: { $0.identifier == record.identifier }),
            !runs[run].isLingering
        else { return }
        switch record.state {
        case .succeeded, .failed, .expired, .abandoned, .cancelled: break
        // It was ended, and nobody knows when it would have.
        case .crashed, .interrupted, .starting, .running, .expiring: return
        }
        changeAppFacts(app) { facts in
            facts.late?.removeAll { $0.identifier == record.identifier }
            if facts.late?.isEmpty == true { facts.late = nil }
        }
    }

    /// Other files may have mended them.
    mutating func forgetLateHandlers(of app: Int32) {
        changeAppFacts(app) { $0.late = nil }
    }
}
