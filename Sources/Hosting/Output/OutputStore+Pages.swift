package import Runner
import Scheduling

/// Kept lines in pages: those of a run as they are in its file, those of an app in the order in which they were kept.
extension OutputStore {
    /// A page of lines, oldest first.
    ///
    /// A line that is kept later comes behind all that were shown, so that pages hold each line once.
    package func lines(_ query: LogQuery) -> LogPage {
        scan()
        guard let run = query.run else { return pageOfApp(query) }
        guard let file = files.values.lazy.compactMap({ $0[run] }).first else {
            return LogPage(lines: [], end: LogPosition(run: run, offset: 0))
        }
        return page(of: run, file, query)
    }

    // MARK: - Private

    private func page(of run: RunIdentifier, _ file: OutputFile, _ query: LogQuery) -> LogPage {
        let after = query.after ?? LogPosition(run: run, offset: 0)
        var page = LogPage(lines: [], end: LogPosition(run: run, offset: after.run == run ? after.offset : 0))
        guard after.run <= run else { return page }
        file.forEachLine(from: page.end.offset) { bytes, begin in
            if page.lines.count == query.limit {
                page.next = page.end
                return false
            }
            if let kept = KeptLine(bytes), kept.number >= after.number ?? 0 { page.lines.append(kept.line) }
            page.end.offset = begin + bytes.count + 1
            return true
        }
        return page
    }

    private func pageOfApp(_ query: LogQuery) -> LogPage {
        let start = query.after.map { firstNumber(of: $0, query.app) } ?? 0
        var candidates: [(file: OutputFile, first: Int64)] = []
        for app in files.keys where query.app == nil || query.app == app {
            for run in (files[app] ?? [:]).keys {
                guard let span = span(of: run, app), span.upperBound >= start, let file = files[app]?[run] else {
                    continue
                }
                candidates.append((file, span.lowerBound))
            }
        }
        // One more than the page has says where the next one begins.
        var found: [KeptLine] = []
        for (file, first) in candidates.sorted(by: { $0.first < $1.first }) {
            if found.count > query.limit, let last = found.last, first > last.number { break }
            found += file.lines(from: start, most: query.limit + 1)
            found.sort { $0.number < $1.number }
            found.removeLast(max(0, found.count - query.limit - 1))
        }
        let shown = found.prefix(query.limit)
        let next = found.count > query.limit ? found.last.map { LogPosition.line($0.number) } : nil
        let end = next ?? .line(shown.last.map { $0.number + 1 } ?? start)
        return LogPage(lines: shown.map(\.line), next: next, end: end)
    }

    /// The number of the first line that a place asks for; of all that are left when that line is gone.
    private func firstNumber(of place: LogPosition, _ app: AppIdentifier?) -> Int64 {
        if let number = place.number { return number }
        for (owner, runs) in files where app == nil || owner == app {
            guard let file = runs[place.run] else { continue }
            return file.number(at: place.offset) ?? span(of: place.run, owner).map { $0.upperBound + 1 } ?? 0
        }
        return 0
    }
}
