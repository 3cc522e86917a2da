import Foundation
import Scheduling
import Simulation

// simulation-bench soak [--days N] [--seed N] [--within SECONDS]: random scenarios with faults against the shadow model.
// simulation-bench figures: device-days a second, as JSON.

let arguments = Array(CommandLine.arguments.dropFirst())

func option(_ name: String) -> UInt64? {
    arguments.firstIndex(of: name).flatMap { $0 + 1 < arguments.count ? UInt64(arguments[$0 + 1]) : nil }
}

switch arguments.first {
case "soak":
    runSoak(days: Int(option("--days") ?? 10_000), seed: option("--seed"), within: option("--within"))
case "figures": printFigures()
case "small":
    _ = MeasuredDay.measure(
        MeasuredDay.scenario(apps: 1, tasks: 8, every: .hours(2)), days: Int(option("--days") ?? 50))
default:
    print("usage: simulation-bench soak [--days N] [--seed N] [--within SECONDS] | simulation-bench figures")
    exit(64)
}
