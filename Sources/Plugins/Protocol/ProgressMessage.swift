package import RPC
package import Scheduling

/// `task.progress`: how far a run is.
package struct ProgressMessage: PluginMessage {
    package var run: RunIdentifier
    /// The texts are cut at `PluginLimits.textBytes`.
    package var progress: RunProgress

    package init(run: RunIdentifier, progress: RunProgress) {
        self.run = run
        self.progress = RunProgress(
            fraction: progress.fraction, title: progress.title?.cut(toBytes: PluginLimits.textBytes),
            subtitle: progress.subtitle?.cut(toBytes: PluginLimits.textBytes))
    }

    package static let members = [
        ParameterDescription("run", .integer, required: true, bounds: 1...Double.infinity),
        ParameterDescription("fraction", .number, required: true, bounds: 0...1),
        ParameterDescription("title", .string),
        ParameterDescription("subtitle", .string),
    ]

    package init(reading reader: ParameterReader) {
        self.init(
            run: reader.runIdentifier() ?? RunIdentifier(0),
            progress: RunProgress(
                fraction: reader.number("fraction") ?? 0, title: reader.string("title"),
                subtitle: reader.string("subtitle")))
    }

    package func writeMembers(into writer: inout JSONWriter) {
        writer.member("run", run.number)
        writer.member("fraction", progress.fraction)
        writer.member("title", progress.title)
        writer.member("subtitle", progress.subtitle)
    }
}
