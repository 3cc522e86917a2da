/// The silent pushes of one app, as a device treats them: the newest is held until the app may be woken.
///
/// A neighbour of the scheduler: a value beside it that reads no clock. A grant is a moment at which the device lets the
/// app work: a window, a run of its own, or an open by its user.
package struct SilentPushes: Hashable, Sendable {
    /// A push, by the moment at which it came.
    package struct Push: Hashable, Sendable {
        package var number: Int64
        package var sentAt: WallTime
    }

    /// What becomes of a push.
    package enum Outcome: Hashable, Sendable {
        case delivered(Push)
        /// A newer one took its place.
        case superseded(Push)
        /// It is gone, for a reason.
        case discarded(Push, reason: String)
    }

    /// The shortest time between two deliveries in the background. Apple: "the system may throttle … two or three
    /// notifications an hour"; this is 3 an hour.
    package var shortestInterval: Duration = .minutes(20)
    package private(set) var held: Push?
    /// How many were sent so far.
    package private(set) var count: Int64 = 0
    private var lastDelivery: Moment?
    private var isForceQuit = false
    private var isDisabled = false

    package init() {}

    /// A server sent one.
    package mutating func sent(at now: Moment) -> [Outcome] {
        count += 1
        let push = Push(number: count, sentAt: now.wall)
        if isForceQuit { return [.discarded(push, reason: "the app was force-quit")] }
        if isDisabled { return [.discarded(push, reason: "its background refresh is switched off")] }
        let superseded = held
        held = push
        return superseded.map { [.superseded($0)] } ?? []
    }

    /// The device lets the app work in the background.
    package mutating func granted(at now: Moment) -> [Outcome] {
        guard let push = held else { return [] }
        if let lastDelivery, lastDelivery.boot.advanced(by: shortestInterval) > now.boot { return [] }
        held = nil
        lastDelivery = now
        return [.delivered(push)]
    }

    /// Its user opened the app, which takes what is held and is no longer force-quit.
    package mutating func opened(at now: Moment) -> [Outcome] {
        isForceQuit = false
        guard let push = held else { return [] }
        held = nil
        return [.delivered(push)]
    }

    /// Its user quit the app by force: nothing is held for it, and nothing comes until it is opened.
    package mutating func forceQuit() -> [Outcome] {
        isForceQuit = true
        guard let push = held else { return [] }
        held = nil
        return [.discarded(push, reason: "the app was force-quit")]
    }

    /// The app's background refresh was switched; without it nothing is delivered in the background.
    package mutating func switched(on: Bool) -> [Outcome] {
        isDisabled = !on
        guard isDisabled, let push = held else { return [] }
        held = nil
        return [.discarded(push, reason: "its background refresh is switched off")]
    }

    /// The device has booted: what it held comes again from the server, no sooner than without.
    package mutating func rebooted(at now: Moment) {
        lastDelivery = lastDelivery?.rebased(to: now)
    }
}
