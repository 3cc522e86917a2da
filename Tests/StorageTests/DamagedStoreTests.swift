import FoundationEssentials
import Scheduling
import Testing

@testable import Storage

@Suite("A damaged store")
struct DamagedStoreTests {
    /// A folder with a closed store of many requests and runs.
    private func filledFolder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let store = try openStore(folder)
        try store.commit((0..<500).map { .putRequest(Sample.fullRequest("task\(1_000 + $0)", submission: $0 + 1)) })
        try store.commit((1...500).map { .putRun(Sample.run($0, "task\($0)", .succeeded)) })
        store.close()
        return folder
    }

    private func change(_ file: URL, _ body: (inout Data) -> Void) throws {
        var data = try Data(contentsOf: file)
        body(&data)
        try data.write(to: file)
    }

    /// Opens the folder, and expects its store to be set aside and a new one to be there that works.
    private func expectSetAside(_ folder: TemporaryFolder) throws {
        let store = try openStore(folder)
        _ = try store.load()
        let recovered = try #require(store.report().recovered)
        #expect(recovered.at == noon)
        #expect(recovered.setAside == folder.path + "/runner.sqlite.damaged-20250615T150640Z")
        #expect(FileManager.default.fileExists(atPath: recovered.setAside))
        try store.commit([.putRequest(Sample.request("new"))])
        #expect(try store.load().requests.contains(Sample.request("new")))
        store.close()
        let again = try openStore(folder)
        #expect(again.report().recovered == recovered)
        #expect(try again.load().requests.contains(Sample.request("new")))
        try again.acknowledgeRecovery()
        #expect(again.report().recovered == nil)
        again.close()
        #expect(try openStore(folder).report().recovered == nil)
    }

    @Test("is set aside when it is no store at all", arguments: [100, 1_024, 5_000])
    func garbageFile(size: Int) throws {
        let folder = try TemporaryFolder()
        try Data(repeating: 0x5A, count: size).write(to: folder.file("runner.sqlite"))
        try expectSetAside(folder)
        let aside = try Data(contentsOf: folder.file("runner.sqlite.damaged-20250615T150640Z"))
        #expect(aside == Data(repeating: 0x5A, count: size))
    }

    @Test("is set aside when its file was cut", arguments: [0.1, 0.5, 0.9])
    func truncated(share: Double) throws {
        let folder = try filledFolder()
        try change(folder.file("runner.sqlite")) { $0 = $0.prefix(Int(Double($0.count) * share) / 1_024 * 1_024) }
        try expectSetAside(folder)
    }

    @Test("is set aside when pages in its middle are garbage")
    func garbagePages() throws {
        let folder = try filledFolder()
        try change(folder.file("runner.sqlite")) { data in
            let middle = data.count / 4096 * 1_024
            data.replaceSubrange(middle..<(middle + 40_960), with: Data(repeating: 0xA5, count: 40_960))
        }
        try expectSetAside(folder)
    }

    @Test("is set aside when a text in it cannot be ours")
    func garbageText() throws {
        let folder = try filledFolder()
        let wanted = Data("com.example.task1250".utf8)
        try change(folder.file("runner.sqlite")) { data in
            guard let place = data.firstRange(of: wanted) else { return }
            data[place.lowerBound] = 0xFF
        }
        try expectSetAside(folder)
    }

    @Test("is set aside when its tables are somebody else's")
    func foreignTables() throws {
        let folder = try TemporaryFolder()
        let connection = try SQLiteConnection(folder: folder.path)
        try connection.execute("CREATE TABLE requests (something TEXT); PRAGMA user_version = 2")
        connection.close()
        try expectSetAside(folder)
    }

    @Test("opens with the state before a garbage journal")
    func garbageJournal() throws {
        let folder = try filledFolder()
        try Data(repeating: 0xA5, count: 50_000).write(to: folder.file("runner.sqlite-wal"))
        let store = try openStore(folder)
        #expect(try store.load().requests.count == 500)
        #expect(store.report().recovered == nil)
    }

    @Test("loses nothing before the place where the end of its journal was torn")
    func tornJournal() throws {
        let folder = try TemporaryFolder()
        let store = try openStore(folder)
        try store.commit([.putRequest(Sample.request("a"))])
        let crashed = try folder.copy()
        let end = try Data(contentsOf: crashed.file("runner.sqlite-wal")).count
        try store.commit([.putRequest(Sample.request("b"))])
        let torn = try folder.copy()
        try change(torn.file("runner.sqlite-wal")) { $0[end + 100] ^= 1 }
        #expect(try openStore(torn).load().requests == [Sample.request("a")])
        #expect(try openStore(try folder.copy()).load().requests.count == 2)
    }

    @Test("takes its journal along under the same name")
    func journalGoesAlong() throws {
        let folder = try TemporaryFolder()
        try Data(repeating: 0x5A, count: 4_096).write(to: folder.file("runner.sqlite"))
        try Data(repeating: 0x5B, count: 100).write(to: folder.file("runner.sqlite-wal"))
        try Data(repeating: 0x5C, count: 100).write(to: folder.file("runner.sqlite-shm"))
        try expectSetAside(folder)
        let stem = "runner.sqlite.damaged-20250615T150640Z"
        #expect(try folder.names().filter { $0.contains("damaged") } == [stem, stem + "-shm", stem + "-wal"])
        #expect(try Data(contentsOf: folder.file(stem + "-wal")) == Data(repeating: 0x5B, count: 100))
    }

    @Test("never takes a name that is taken, not even for its journal")
    func takenNames() throws {
        let folder = try TemporaryFolder()
        let stem = "runner.sqlite.damaged-20250615T150640Z"
        try Data("first".utf8).write(to: folder.file(stem))
        try Data("second".utf8).write(to: folder.file(stem + "-2-wal"))
        try Data(repeating: 0x5A, count: 4_096).write(to: folder.file("runner.sqlite"))
        let store = try openStore(folder)
        #expect(store.report().recovered?.setAside == folder.path + "/" + stem + "-3")
        #expect(try Data(contentsOf: folder.file(stem)) == Data("first".utf8))
    }

    @Test("keeps its pending requests when only history is damaged")
    func keepsRequests() throws {
        let folder = try filledFolder()
        try folder.overwriteRoot(of: "runs_by_identifier")
        let store = try openStore(folder)
        #expect(try store.load().requests.count == 500)
        #expect(try store.history(HistoryQuery()).runs.isEmpty)
        #expect(store.report().recovered?.reason.contains("pending requests were kept") == true)
    }

    @Test("is set aside by the next load when damage shows in use, and goes on with its requests")
    func damageInUse() throws {
        let folder = try filledFolder()
        let store = try openStore(folder)
        #expect(try store.load().requests.count == 500)
        // Another program writes into the file that is in use: into an index that a start does not read.
        try folder.overwriteRoot(of: "runs_ended")
        #expect(failure { try store.commit([.putRun(Sample.run(900, "a", .failed))]) }?.kind == .corrupt)
        #expect(try store.load().requests.count == 500)
        #expect(store.report().recovered != nil)
        try store.commit([.putRun(Sample.run(900, "a", .failed))])
        #expect(try store.run(RunIdentifier(900)) != nil)
    }
}
