import Foundation
import Scheduling
import Simulation

/// Lives so many device-days, and prints the seed of each scenario that broke a rule.
///
/// - Parameter limit: it may take so many seconds.
func runSoak(days: Int, seed only: UInt64?, within limit: UInt64?) {
    let begun = ContinuousClock.now
    var (seed, lived, events, launches, failures) = (only ?? 1, 0, 0, 0, 0)
    while lived < days, failures < 10 {
        let outcome = Soak.live(seed: seed)
        lived += outcome.days
        events += outcome.events
        launches += outcome.launches
        if !outcome.problems.isEmpty {
            failures += 1
            print("seed \(seed) broke rules; see it again: make soak SOAK_SEED=\(seed)")
            for problem in outcome.problems.prefix(5) { print("  \(problem)") }
        }
        if only != nil { break }
        seed += 1
    }
    let taken = begun.duration(to: .now) / .seconds(1)
    let perSecond = Double(lived) / taken
    print(
        "\(lived) device-days, \(events) events, \(launches) launches, \(failures) seeds that broke rules, in "
            + String(format: "%.1f s (%.0f days a second)", taken, perSecond))
    if let limit, taken > Double(limit) {
        print("that is more than the \(limit) s that it may take")
        exit(1)
    }
    exit(failures == 0 ? 0 : 1)
}
