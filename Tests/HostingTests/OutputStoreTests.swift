import Platform
import Scheduling
import TestSupport
import Testing

@testable import Hosting
@testable import Runner

@Suite("Kept output")
struct OutputStoreTests {
    private let folder = TemporaryFolder()
    private let first = try! AppIdentifier("com.example.first")
    private let second = try! AppIdentifier("com.example.second")
    private let now = WallTime(milliseconds: 1_796_025_600_000)
    /// How many lines were kept: one a millisecond.
    private let count = Locked<Int64>(0)

    private func store(bytesPerRun: Int = 1 << 20, bytesInAll: Int = 1 << 30) -> OutputStore {
        OutputStore(folder: folder.file("logs"), bytesPerRun: bytesPerRun, bytesInAll: bytesInAll)
    }

    private func keep(_ text: String, _ run: Int64, _ app: AppIdentifier, in store: OutputStore) {
        let passed = count.withLock { count in
            defer { count += 1 }
            return count
        }
        keep(text, run, app, in: store, at: passed)
    }

    /// - Parameter passed: in milliseconds.
    private func keep(_ text: String, _ run: Int64, _ app: AppIdentifier, in store: OutputStore, at passed: Int64) {
        store.keep(Array(text.utf8), stream: "stdout", run: RunIdentifier(run), app: app, at: time(passed))
    }

    private func time(_ passed: Int64) -> WallTime { WallTime(milliseconds: now.milliseconds + passed) }

    private func texts(_ store: OutputStore, run: Int64? = nil, app: AppIdentifier? = nil) -> [String] {
        store.lines(LogQuery(run: run.map { RunIdentifier($0) }, app: app, limit: 1_000, after: nil)).lines.map(\.text)
    }

    @Test("lines come back as they were kept, of a run or of an app, oldest first")
    func queries() {
        let store = store()
        keep("b", 2, first, in: store)
        keep("a ", 1, first, in: store)
        keep(" c", 2, first, in: store)
        keep("x", 3, second, in: store)
        #expect(texts(store, run: 2) == ["b", " c"])
        #expect(texts(store, app: first) == ["b", "a ", " c"])
        #expect(texts(store, app: second) == ["x"])
        #expect(texts(store, run: 9).isEmpty)
        let line = store.lines(LogQuery(run: RunIdentifier(3), app: nil, limit: 1, after: nil)).lines.first
        #expect(line == LogPage.Line(at: time(3), stream: "stdout", text: "x"))
    }

    @Test("pages of every size hold every line once", arguments: [1, 2, 3, 7, 100])
    func pages(limit: Int) {
        let store = store()
        var kept: [String] = []
        for run in 1...3 {
            for line in 1...5 {
                kept.append("\(run)-\(line)")
                keep("\(run)-\(line)", Int64(run), first, in: store)
            }
        }
        var (seen, after, pages) = ([String](), LogPosition?.none, 0)
        repeat {
            let page = store.lines(LogQuery(run: nil, app: first, limit: limit, after: after))
            seen += page.lines.map(\.text)
            after = page.next
            pages += 1
        } while after != nil
        #expect(seen == kept)
        #expect(pages == (kept.count + limit - 1) / limit)
    }

    @Test("of a run the limit is exact: what fits is kept, what does not is named once")
    func perRun() {
        // "1796025600000 stdout " and LF are 22 bytes.
        let store = store(bytesPerRun: 3 * 32)
        for _ in 0..<3 { keep("0123456789", 1, first, in: store) }
        #expect(texts(store, run: 1).count == 3)
        keep("one more", 1, first, in: store)
        keep("and more", 1, first, in: store)
        let lines = store.lines(LogQuery(run: RunIdentifier(1), app: nil, limit: 9, after: nil)).lines
        #expect(lines.map(\.stream) == ["stdout", "stdout", "stdout", "runner"])
        keep("another run", 2, first, in: store)
        #expect(texts(store, run: 2) == ["another run"])
    }

    @Test("in all the oldest runs go first, and the one that writes stays")
    func inAll() {
        let store = store(bytesInAll: 3_200)
        for run in 1...10 {
            for _ in 0..<10 { keep("0123456789", Int64(run), first, in: store) }
            store.finish(RunIdentifier(Int64(run)), app: first)
        }
        // Each run takes 320 bytes, so that all ten fit exactly.
        #expect(texts(store, run: 1).count == 10)
        keep("0123456789", 11, second, in: store)
        #expect(texts(store, run: 1).isEmpty)
        #expect(texts(store, run: 2).count == 10)
        #expect(texts(store, run: 11) == ["0123456789"])
        for _ in 0..<200 { keep("0123456789", 12, second, in: store) }
        #expect(texts(store, run: 12).count == 200)
        #expect(texts(store, run: 11).isEmpty || texts(store, run: 10).isEmpty)
    }

    @Test("what an earlier daemon kept is there, counts, and can be forgotten")
    func restarts() {
        let before = store()
        for run in 1...3 { keep("0123456789", Int64(run), first, in: before) }
        let after = store(bytesInAll: 110)
        #expect(texts(after, app: first).count == 3)
        keep("0123456789", 4, first, in: after)
        #expect(texts(after, run: 1).isEmpty)
        after.forget([RunIdentifier(2), RunIdentifier(99)])
        #expect(PlainFile.names(in: folder.file("logs/com.example.first")).contains("2.log") == false)
        #expect(texts(after, run: 4) == ["0123456789"])
    }

    @Test("bytes that are no text do not stop the page")
    func brokenText() {
        let store = store()
        store.keep([0xFF, 0x00, 0x41], stream: "stderr", run: RunIdentifier(1), app: first, at: now)
        keep("next", 1, first, in: store)
        #expect(texts(store, run: 1) == ["\u{FFFD}\0A", "next"])
    }
}
