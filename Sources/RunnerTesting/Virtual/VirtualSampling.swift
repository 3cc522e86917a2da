import Platform
import Plugins

/// Looks whenever virtual time is about to go on.
final class VirtualSampling: Sampling {
    private struct Reference {
        weak var scheduler: VirtualScheduler?
    }

    private let reference: Locked<Reference>
    private let number: Int?

    init(_ scheduler: VirtualScheduler?, _ look: @escaping @Sendable () -> Void) {
        reference = Locked(Reference(scheduler: scheduler))
        number = scheduler?.addSampler(look)
    }

    func stop() {
        guard let number else { return }
        reference.withLock { $0.scheduler }?.removeSampler(number)
    }
}
