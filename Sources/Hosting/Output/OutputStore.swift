import Platform
package import Runner
package import Scheduling

/// The kept output of runs: a plain file a run, in a folder an app. Nothing is synced, and nothing joins a commit.
///
/// At most 1 MiB a run and 256 MiB in all are kept; the oldest goes first (03, `log`).
package final class OutputStore {
    package static let bytesPerRun = 1 << 20
    package static let bytesInAll = 256 << 20
    /// A longer line is cut.
    package static let lineBytes = 8_192
    /// Stands for the lines of an app that belong to no run.
    static let ofApp = RunIdentifier(0)

    private struct File {
        var path: String
        var size: Int
        var appender: PlainFile.Appender?
        var isFull = false
    }

    private let folder: String
    private let bytesPerRun: Int
    private let bytesInAll: Int
    private var files: [AppIdentifier: [RunIdentifier: File]] = [:]
    private var total = 0
    private var isScanned = false
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
        var file = files[app]?[run] ?? File(path: path(of: run, app), size: 0)
        guard !file.isFull else { return }
        var line = Array("\(now.milliseconds) \(stream) ".utf8)
        line.append(contentsOf: text)
        line.append(UInt8(ascii: "\n"))
        if file.size + line.count > bytesPerRun {
            line = Array("\(now.milliseconds) runner (the rest is not kept: \(bytesPerRun) bytes a run are)\n".utf8)
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
            file.size += line.count
            total += line.count
        }
        files[app, default: [:]][run] = file
        if isKept { onKept(LogPosition(run: run, offset: offset), app) }
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

    /// A page of lines, oldest first; the cursor is the run and the offset where the next page begins.
    package func lines(_ query: LogQuery) -> LogPage {
        scan()
        var candidates: [(run: RunIdentifier, file: File)] = []
        for (app, runs) in files where query.app == nil || query.app == app {
            for (run, file) in runs where query.run == nil || query.run == run { candidates.append((run, file)) }
        }
        candidates.sort { $0.run < $1.run }
        let start = query.after ?? LogPosition(run: RunIdentifier(0), offset: 0)
        var page = LogPage(lines: [])
        for (run, file) in candidates where run >= start.run {
            var offset = run == start.run ? start.offset : 0
            let bytes = PlainFile.read(file.path, from: offset, count: bytesPerRun + Self.lineBytes) ?? []
            for text in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
                if page.lines.count == query.limit {
                    page.next = LogPosition(run: run, offset: offset)
                    return page
                }
                offset += text.count + 1
                if let line = Self.line(text) { page.lines.append(line) }
            }
        }
        return page
    }

    // MARK: - Private

    private func halve(_ app: AppIdentifier) {
        guard var file = files[app]?[Self.ofApp] else { return }
        let rest = PlainFile.read(file.path, from: file.size / 2, count: file.size) ?? []
        let kept = rest.drop { $0 != UInt8(ascii: "\n") }.dropFirst()
        PlainFile.remove(file.path)
        total -= file.size
        file = File(path: file.path, size: 0, appender: try? PlainFile.Appender(file.path))
        if !kept.isEmpty, file.appender?.append(Array(kept)) == true { file.size = kept.count }
        total += file.size
        files[app, default: [:]][Self.ofApp] = file
    }

    private func path(of run: RunIdentifier, _ app: AppIdentifier) -> String {
        "\(folder)/\(app)/\(run.number).log"
    }

    /// Looks once at what an earlier daemon kept.
    private func scan() {
        guard !isScanned else { return }
        isScanned = true
        for name in PlainFile.names(in: folder) {
            let app = AppIdentifier(checked: name)
            for file in PlainFile.names(in: "\(folder)/\(name)") {
                guard file.hasSuffix(".log"), let number = Int64(file.dropLast(4)) else { continue }
                let path = "\(folder)/\(name)/\(file)"
                let size = PlainFile.size(path)
                files[app, default: [:]][RunIdentifier(number)] = File(path: path, size: size)
                total += size
            }
        }
    }

    /// Makes room for more than this line, so that not every line has to look for the oldest.
    private func dropOldest(but current: RunIdentifier) {
        let goal = bytesInAll - bytesInAll / 16
        let runs = files.flatMap { app, runs in runs.keys.map { (app: app, run: $0) } }.sorted { $0.run < $1.run }
        for (app, run) in runs where total > goal && run != current { drop(run, of: app) }
    }

    private func drop(_ run: RunIdentifier, of app: AppIdentifier) {
        guard let file = files[app]?.removeValue(forKey: run) else { return }
        PlainFile.remove(file.path)
        total -= file.size
    }

    /// Reads `TIME STREAM TEXT`.
    private static func line(_ bytes: some Collection<UInt8>) -> LogPage.Line? {
        let parts = bytes.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let at = Int64(String(decoding: parts[0], as: UTF8.self)) else { return nil }
        return LogPage.Line(
            at: WallTime(milliseconds: at), stream: String(decoding: parts[1], as: UTF8.self),
            text: String(decoding: parts[2], as: UTF8.self))
    }
}
