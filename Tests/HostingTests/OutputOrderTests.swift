import Platform
import Scheduling
import TestSupport
import Testing

@testable import Hosting
@testable import Runner

/// The lines of an app in the order in which they were kept, in pages.
@Suite("The order of kept output")
struct OutputOrderTests {
    private let folder = TemporaryFolder()
    private let app = try! AppIdentifier("com.example.first")
    private let other = try! AppIdentifier("com.example.second")

    private func store(bytesPerRun: Int = 1 << 20) -> OutputStore {
        OutputStore(folder: folder.file("logs"), bytesPerRun: bytesPerRun)
    }

    private func time(_ passed: Int64) -> WallTime { WallTime(milliseconds: 1_796_025_600_000 + passed) }

    /// - Parameters:
    ///   - run: 0 is none.
    ///   - passed: in milliseconds.
    private func keep(_ text: String, run: Int64, of app: AppIdentifier? = nil, in store: OutputStore, at passed: Int64)
    {
        if run == 0 {
            store.keep(text.utf8, stream: "stdout", app: app ?? self.app, at: time(passed))
        } else {
            store.keep(text.utf8, stream: "stdout", run: RunIdentifier(run), app: app ?? self.app, at: time(passed))
        }
    }

    /// What pages of the app's lines hold; `body` is called between them.
    private func read(
        _ store: OutputStore, limit: Int, after: LogPosition? = nil, _ body: (Int) -> Void = { _ in }
    ) -> (texts: [String], end: LogPosition) {
        var (texts, after, pages) = ([String](), after, 0)
        while true {
            let page = store.lines(LogQuery(run: nil, app: app, limit: limit, after: after))
            #expect(page.lines.count <= limit)
            #expect(page.next == nil || page.next == page.end)
            texts += page.lines.map(\.text)
            after = page.end
            guard page.next != nil else { return (texts, page.end) }
            body(pages)
            pages += 1
        }
    }

    @Test(
        "an app's lines come in the order in which they were kept, whatever run they are of",
        arguments: [1, 2, 7, 100])
    func order(limit: Int) {
        var random = SplitMix64(seed: 4)
        let store = store()
        var kept: [String] = []
        for line in 0..<300 {
            let run = Int64(random.next() % 6)
            // Many lines within one millisecond, and now and then one of another app.
            keep("\(run)-\(line)", run: run, in: store, at: Int64(line / 40))
            kept.append("\(run)-\(line)")
            if line % 7 == 0 { keep("foreign", run: 100 + run, of: other, in: store, at: Int64(line / 40)) }
        }
        #expect(read(store, limit: limit).texts == kept)
        #expect(read(self.store(), limit: limit).texts == kept)
    }

    @Test("pages hold each line once while lines are added to every run", arguments: [1, 3, 10])
    func growing(limit: Int) {
        let store = store()
        var kept: [String] = []
        func add(_ count: Int) {
            for _ in 0..<count {
                // The same millisecond throughout; the run with the greater number may be first.
                keep("line \(kept.count)", run: Int64((kept.count * 5 + 3) % 4), in: store, at: 0)
                kept.append("line \(kept.count)")
            }
        }
        add(25)
        let (texts, end) = read(store, limit: limit) { page in if page < 5 { add(4) } }
        #expect(texts == kept)
        add(30)
        #expect(texts + read(store, limit: limit, after: end).texts == kept)
    }

    @Test("lines that are kept after the clock was set back come after the others, with their own time")
    func clockSetBack() {
        let before = store()
        keep("early", run: 2, in: before, at: 10_000)
        let end = read(before, limit: 10).end
        keep("late", run: 1, in: before, at: 5_000)
        #expect(read(before, limit: 10, after: end).texts == ["late"])
        // Another daemon begins behind what it finds.
        let after = store()
        keep("later", run: 3, in: after, at: 1_000)
        #expect(read(after, limit: 10, after: end).texts == ["late", "later"])
        let lines = after.lines(LogQuery(run: nil, app: app, limit: 10, after: nil)).lines
        #expect(lines.map(\.at) == [time(10_000), time(5_000), time(1_000)])
    }

    @Test("a place stays good when the older half of an app's own lines goes")
    func halved() {
        // An app's own lines are halved when there are more than 2 KiB.
        let store = store(bytesPerRun: 4_096)
        for line in 0..<50 { keep("line \(line)", run: 0, in: store, at: Int64(line)) }
        let end = read(store, limit: 10).end
        for line in 50..<100 { keep("line \(line)", run: 0, in: store, at: Int64(line)) }
        let all = read(store, limit: 10).texts
        #expect(all.first != "line 0" && all.count < 100)
        #expect(read(store, limit: 10, after: end).texts == (50..<100).map { "line \($0)" })
    }

    @Test("who is told of a line can read from there on, of an app and of a run")
    func told() {
        let store = store()
        var places: [LogPosition] = []
        store.onKept = { place, _ in places.append(place) }
        for (line, run) in [0, 1, 0, 2, 1].enumerated() {
            keep("line \(line)", run: Int64(run), in: store, at: Int64(line))
        }
        for (line, place) in places.enumerated() {
            #expect(read(store, limit: 2, after: place).texts == (line..<5).map { "line \($0)" }, "\(place)")
        }
        let ofRun = store.lines(LogQuery(run: RunIdentifier(1), app: nil, limit: 9, after: places[4]))
        #expect(ofRun.lines.map(\.text) == ["line 4"])
        #expect(places.map(\.number).map { $0 == nil } == [false, true, false, true, true])
    }

    @Test("the lines of a place whose run is forgotten are all that are left")
    func forgotten() {
        let store = store()
        keep("a", run: 1, in: store, at: 0)
        keep("b", run: 2, in: store, at: 1)
        store.forget([RunIdentifier(1)])
        #expect(read(store, limit: 9, after: LogPosition(run: RunIdentifier(1), offset: 0)).texts == ["b"])
    }

    @Test("the end of a run's lines is where its next ones begin, also of a run that has none yet")
    func endOfRun() {
        let store = store()
        func read(_ after: LogPosition?) -> LogPage {
            store.lines(LogQuery(run: RunIdentifier(7), app: nil, limit: 2, after: after))
        }
        let none = read(nil)
        #expect(none.lines.isEmpty && none.next == nil)
        for line in 0..<3 { keep("line \(line)", run: 7, in: store, at: 0) }
        let first = read(none.end)
        #expect(first.lines.map(\.text) == ["line 0", "line 1"] && first.next == first.end)
        let second = read(first.end)
        #expect(second.lines.map(\.text) == ["line 2"] && second.next == nil)
        #expect(read(second.end).lines.isEmpty)
        keep("line 3", run: 7, in: store, at: 0)
        #expect(read(second.end).lines.map(\.text) == ["line 3"])
    }

    @Test("pages of files larger than what is read at once hold each line once")
    func large() {
        let store = store()
        var kept: [String] = []
        for line in 0..<900 {
            let text = "\(line) " + String(repeating: "x", count: line % 9 == 0 ? 8_000 : 40)
            keep(text, run: Int64(line % 2), in: store, at: Int64(line / 10))
            kept.append(text)
        }
        // An app's own lines are kept up to half of what a run may have.
        let own = kept.indices.filter { $0 % 2 == 0 }
        let texts = read(store, limit: 100).texts
        #expect(texts.count > 450 + own.count / 4)
        let left = Set(texts)
        #expect(texts == kept.filter { left.contains($0) })
        #expect(kept.indices.allSatisfy { $0 % 2 == 0 || left.contains(kept[$0]) })
    }
}
