import Scheduling

/// What goes wrong on a virtual device, by chance and by a seed of its own.
package struct Faults: Sendable, Hashable {
    /// Of 10,000 events so many end in a crash of the runner, at any of their effects.
    package var crashes = 0
    /// Of 100 starts of a handler so many fail.
    package var failedStarts = 0
    /// Of 100 runs so many die with their process.
    package var deaths = 0
    /// Of 100 changes of the device so many are not told, until the next one is.
    package var lostSignals = 0

    package init() {}

    package static let none = Faults()
}

/// Where a crash cuts what an event leads to.
struct CrashPoint {
    /// Whether the transaction was committed; if not, nothing of the event ever happened.
    var isCommitted: Bool
    /// So many of the effects behind the commit were done.
    var effects: Int
}
