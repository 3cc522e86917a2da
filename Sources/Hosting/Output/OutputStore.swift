import Platform
package import Runner
package import Scheduling

/// The kept output of runs: a plain file a run, in a folder an app. Nothing is synced, and nothing joins a commit.
///
/// At most 1 MiB a run and 256 MiB in all are kept; the oldest goes first (03, `log`). What an app writes outside of its
/// runs is in a file of its own, as that of run 0, whose older half goes when it grows.
package final class OutputStore {
    package static let bytesPerRun = 1 << 20
    package static let bytesInAll = 256 << 20
    /// A longer line is cut.
    package static let lineBytes = 8_192
    /// Stands for the lines of an app that belong to no run.
    static let ofApp = RunIdentifier(0)

    private let folder: String
    private let bytesPerRun: Int
    private let bytesInAll: Int
    private(set) var files: [AppIdentifier: [RunIdentifier: OutputFile]] = [:]
    private var total = 0
    private var isScanned = false
    /// The number of the last line that was kept.
    private var lastNumber: Int64 = 0
    /// Told of each line that was kept, and where it begins.
    package var onKept: (LogPosition, AppIdentifier) -> Void = { _, _ in }

    package init(folder: String, bytesPerRun: Int = bytesPerRun, bytesInAll: Int = bytesInAll) {
        self.folder = folder
        self.bytesPerRun = bytesPerRun
        self.bytesInAll = bytesInAll
    }

    /// Keeps one line that an app wrote outside of its runs; when there are too many, the older half goes.
    func keep(_ text: some Sequence<UInt8>, stream: String, app: AppIdentifier, at now: WallTime) {
        if let file = files[app]?[Self.ofApp], file.size > bytesPerRun / 2 { halve(app) }
        keep(text, stream: stream, run: Self.ofApp, app: app, at: now)
    }

    /// Keeps one line of a run's output.
    package func keep(
        _ text: some Sequence<UInt8>, stream: String, run: RunIdentifier, app: AppIdentifier, at now: WallTime
    ) {
        scan()
        var file = files[app]?[run] ?? OutputFile(path: path(of: run, app), size: 0)
        guard !file.isFull else { return }
        let number = KeptLine.number(after: lastNumber, at: now)
        var line = KeptLine.bytes(number, stream, text, at: now)
        if file.size + line.count > bytesPerRun {
            let words = "(the rest is not kept: \(bytesPerRun) bytes a run are)"
            line = KeptLine.bytes(number, "runner", words.utf8, at: now)
            file.isFull = true
        }
        if file.appender == nil {
            PlainFile.makeFolder(folder)
            PlainFile.makeFolder("\(folder)/\(app)")
            file.appender = try? PlainFile.Appender(file.path)
        }
        // A full disk loses lines, never a run.
        let offset = file.size
        let isKept = file.appender?.append(line) == true
        if isKept {
            lastNumber = number
            file.grew(by: line.count, number)
            total += line.count
        }
        files[app, default: [:]][run] = file
        if isKept {
            onKept(run == Self.ofApp ? .line(number) : LogPosition(run: run, offset: offset), app)
        }
        if total > bytesInAll { dropOldest(but: run) }
    }

    /// The run writes no more: its descriptor is closed.
    package func finish(_ run: RunIdentifier, app: AppIdentifier) {
        files[app]?[run]?.appender = nil
    }

    /// History has forgotten these runs.
    package func forget(_ runs: [RunIdentifier]) {
        scan()
        for run in runs {
            for app in files.keys { drop(run, of: app) }
        }
    }

    // MARK: - For the parts

    /// When the first and the last line of a file were kept, by their numbers; read once.
    func span(of run: RunIdentifier, _ app: AppIdentifier) -> ClosedRange<Int64>? {
        // Not in place: that may copy the table of files.
        if let span = files[app]?[run]?.span { return span }
        return files[app]?[run]?.findSpan()
    }

    /// Looks once at what an earlier daemon kept.
    func scan() {
        guard !isScanned else { return }
        isScanned = true
        for name in PlainFile.names(in: folder) {
            let app = AppIdentifier(checked: name)
            for file in PlainFile.names(in: "\(folder)/\(name)") {
                guard file.hasSuffix(".log"), let number = Int64(file.dropLast(4)) else { continue }
                let path = "\(folder)/\(name)/\(file)"
                let size = PlainFile.size(path)
                files[app, default: [:]][RunIdentifier(number)] = OutputFile(path: path, size: size)
                total += size
            }
        }
        findLastNumber()
    }

    // MARK: - Private

    /// Whatever the clock does, new lines come after those of the apps and of the last runs.
    private func findLastNumber() {
        let runs = files.flatMap { app, runs in runs.keys.map { (app: app, run: $0) } }.sorted { $0.run < $1.run }
        let looked = runs.prefix(while: { $0.run == Self.ofApp }) + runs.suffix(Self.filesLookedAt)
        lastNumber = looked.compactMap { span(of: $0.run, $0.app)?.upperBound }.max() ?? 0
    }

    /// Of this many runs the last lines are looked at, to go on behind them.
    private static let filesLookedAt = 64

    private func halve(_ app: AppIdentifier) {
        guard var file = files[app]?[Self.ofApp] else { return }
        let rest = PlainFile.read(file.path, from: file.size / 2, count: file.size) ?? []
        let kept = rest.drop { $0 != UInt8(ascii: "\n") }.dropFirst()
        PlainFile.remove(file.path)
        total -= file.size
        file = OutputFile(path: file.path, size: 0, appender: try? PlainFile.Appender(file.path))
        if !kept.isEmpty, file.appender?.append(Array(kept)) == true { file.size = kept.count }
        total += file.size
        files[app, default: [:]][Self.ofApp] = file
    }

    private func path(of run: RunIdentifier, _ app: AppIdentifier) -> String {
        "\(folder)/\(app)/\(run.number).log"
    }

    /// Makes room for more than this line, so that not every line has to look for the oldest. What apps wrote outside of
    /// their runs stays: it is bounded for each, and its newest lines are new.
    private func dropOldest(but current: RunIdentifier) {
        let goal = bytesInAll - bytesInAll / 16
        let runs = files.flatMap { app, runs in runs.keys.map { (app: app, run: $0) } }.sorted { $0.run < $1.run }
        for (app, run) in runs where total > goal && run != current && run != Self.ofApp { drop(run, of: app) }
    }

    private func drop(_ run: RunIdentifier, of app: AppIdentifier) {
        guard let file = files[app]?.removeValue(forKey: run) else { return }
        PlainFile.remove(file.path)
        total -= file.size
    }
}
