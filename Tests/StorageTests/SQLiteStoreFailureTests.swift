import CSQLite
import FoundationEssentials
import Glibc
import Scheduling
import Testing

@testable import Storage

@Suite("The SQLite store when the disk does not obey", .serialized)
struct SQLiteStoreFailureTests {
    private func filler(_ count: Int) -> [StoreChange] {
        (0..<count).map { number in
            var request = Sample.request("filler\(number)", submission: Int64(number + 2))
            request.title = String(repeating: "x", count: 500)
            return .putRequest(request)
        }
    }

    private func expectPlain(_ failure: StoreFailure?, _ kind: StoreFailure.Kind, _ folder: String) {
        #expect(failure?.kind == kind)
        #expect(failure?.message.contains(folder) == true)
        #expect(failure?.message.hasSuffix(".") == true)
        #expect(failure?.message.usesDatabaseWords == false)
    }

    @Test("a full disk refuses the whole transaction, and what was there stays")
    func full() throws {
        let folder = try TemporaryFolder()
        let store = try openStore(folder) { $0.largestPageCount = 40 }
        try store.commit([.putRequest(Sample.request("a"))])
        expectPlain(failure { try store.commit(filler(200)) }, .full, folder.path)
        #expect(try store.load().requests == [Sample.request("a")])
        try store.commit([.putRequest(Sample.request("b"))])
        #expect(try openStore(try folder.copy()).load().requests == [Sample.request("a"), Sample.request("b")])
    }

    @Test("a read-only disk refuses, and what was there can be read")
    func readOnly() throws {
        let folder = try TemporaryFolder()
        let writer = try openStore(folder)
        try writer.commit([.putRequest(Sample.request("a"))])
        writer.close()
        let store = try openStore(folder) { $0.refusesWrites = true }
        expectPlain(failure { try store.commit([.putRequest(Sample.request("b"))]) }, .readOnly, folder.path)
        #expect(try store.load().requests == [Sample.request("a")])
        #expect(try folder.names().allSatisfy { !$0.contains("damaged") })
    }

    @Test("a store whose file was deleted or moved refuses, until the file is back")
    func moved() throws {
        let folder = try TemporaryFolder()
        let store = try openStore(folder)
        try store.commit([.putRequest(Sample.request("a"))])
        let file = "\(folder.path)/\(SQLiteConnection.fileName)"
        try FileManager.default.moveItem(atPath: file, toPath: "\(file).elsewhere")
        expectPlain(failure { try store.commit([.putRequest(Sample.request("b"))]) }, .moved, folder.path)
        try FileManager.default.moveItem(atPath: "\(file).elsewhere", toPath: file)
        try store.commit([.putRequest(Sample.request("c"))])
        #expect(try openStore(try folder.copy()).load().requests == [Sample.request("a"), Sample.request("c")])
        try FileManager.default.removeItem(atPath: file)
        expectPlain(failure { try store.commit([.putRequest(Sample.request("d"))]) }, .moved, folder.path)
    }

    @Test("a second store in the folder is told that it is locked, and sets nothing aside")
    func locked() throws {
        let folder = try TemporaryFolder()
        let first = try openStore(folder)
        try first.commit([.putRequest(Sample.request("a"))])
        expectPlain(failure { _ = try openStore(folder) }, .locked, folder.path)
        #expect(try folder.names().allSatisfy { !$0.contains("damaged") })
        try first.commit([.putRequest(Sample.request("b"))])
        first.close()
        #expect(try openStore(folder).load().requests.count == 2)
    }

    @Test("another connection that holds an exclusive lock makes the store locked")
    func lockedByAnother() throws {
        let folder = try TemporaryFolder()
        try openStore(folder).close()
        var other: OpaquePointer?
        #expect(sqlite3_open(folder.file("runner.sqlite").path, &other) == SQLITE_OK)
        let code = sqlite3_exec(other, "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE", nil, nil, nil)
        #expect(code == SQLITE_OK)
        #expect(failure { _ = try openStore(folder) }?.kind == .locked)
        sqlite3_close(other)
        #expect(try openStore(folder).load() == StoreContents())
    }

    @Test("a folder that is not there is named")
    func missingFolder() throws {
        let folder = try TemporaryFolder()
        let missing = folder.path + "/missing"
        expectPlain(failure { _ = try SQLiteStore(folder: missing, now: noon) }, .inputOutput, missing)
    }

    @Test("a commit that the disk did not confirm is not there, now or after a crash")
    func unconfirmed() throws {
        FailingDisk.register
        let folder = try TemporaryFolder()
        let store = try openStore(folder) { $0.fileLayer = FailingDisk.name }
        defer { FailingDisk.setFault(.none) }
        try store.commit([.putRequest(Sample.request("a"))])
        FailingDisk.setFault(.syncFails)
        expectPlain(failure { try store.commit([.putRequest(Sample.request("b"))]) }, .inputOutput, folder.path)
        FailingDisk.setFault(.none)
        #expect(try store.load().requests == [Sample.request("a")])
        #expect(try openStore(try folder.copy()).load().requests == [Sample.request("a")])
        try store.commit([.putRequest(Sample.request("c"))])
        let expected = [Sample.request("a"), Sample.request("c")]
        #expect(try openStore(try folder.copy()).load().requests == expected)
    }

    @Test("a write that fails in the middle of a transaction leaves nothing of it")
    func writeFails() throws {
        FailingDisk.register
        let folder = try TemporaryFolder()
        let store = try openStore(folder) { $0.fileLayer = FailingDisk.name }
        defer { FailingDisk.setFault(.none) }
        try store.commit([.putRequest(Sample.request("a"))])
        FailingDisk.setFault(.writesFail)
        let refused = failure { try store.commit([.removeRequest(Sample.identifier("a")), .putRun(Sample.run(1))]) }
        #expect(refused?.kind == .full)
        FailingDisk.setFault(.none)
        let contents = try store.load()
        #expect(contents.requests == [Sample.request("a")])
        #expect(contents.unfinishedRuns.isEmpty)
    }

    @Test("a read that fails is reported, sets nothing aside, and works again later")
    func readFails() throws {
        FailingDisk.register
        let folder = try TemporaryFolder()
        let writer = try openStore(folder)
        try writer.commit(filler(2_000))
        writer.close()
        let store = try openStore(folder) { $0.fileLayer = FailingDisk.name }
        defer { FailingDisk.setFault(.none) }
        FailingDisk.setFault(.readsFail)
        #expect(failure { _ = try store.load() }?.kind == .inputOutput)
        FailingDisk.setFault(.none)
        #expect(try store.load().requests.count == 2_000)
        #expect(try folder.names().allSatisfy { !$0.contains("damaged") })
    }

    @Test("a damaged store whose successor cannot be begun yet keeps its requests until it can")
    func successorFails() throws {
        FailingDisk.register
        let folder = try TemporaryFolder()
        let writer = try openStore(folder)
        try writer.commit([.putRequest(Sample.request("a"))])
        writer.close()
        try folder.overwriteRoot(of: "runs_by_identifier")
        let store = try openStore(folder) { $0.fileLayer = FailingDisk.name }
        defer { FailingDisk.setFault(.none) }
        FailingDisk.setFault(.writesFail)
        for _ in 0..<2 { #expect(failure { _ = try store.load() }?.kind == .full) }
        #expect(failure { try store.commit([.putRequest(Sample.request("b"))]) }?.kind == .corrupt)
        FailingDisk.setFault(.none)
        #expect(try store.load().requests == [Sample.request("a")])
        #expect(store.report().recovered?.reason.contains("were kept") == true)
        #expect(try folder.names().filter { $0.hasSuffix("Z") }.count == 1)
    }

    @Test("a real disk that is full refuses, and goes on when there is space again", .enabled(if: SmallDisk.isPossible))
    func realFullDisk() throws {
        let folder = try TemporaryFolder()
        let disk = try #require(SmallDisk(at: folder.path, size: "size=1m"))
        defer { disk.remove() }
        let ballast = folder.file("ballast")
        try Data(repeating: 1, count: 600_000).write(to: ballast)
        let store = try openStore(folder)
        try store.commit([.putRequest(Sample.request("a"))])
        expectPlain(failure { try store.commit(filler(2_000)) }, .full, folder.path)
        #expect(try store.load().requests == [Sample.request("a")])
        try FileManager.default.removeItem(at: ballast)
        try store.commit([.putRequest(Sample.request("b"))])
        #expect(try store.load().requests.count == 2)
        store.close()
    }

    @Test("a real disk that became read-only is named and sets nothing aside", .enabled(if: SmallDisk.isPossible))
    func realReadOnlyDisk() throws {
        let folder = try TemporaryFolder()
        let disk = try #require(SmallDisk(at: folder.path, size: "size=1m"))
        defer { disk.remove() }
        let store = try openStore(folder)
        try store.commit([.putRequest(Sample.request("a"))])
        store.close()
        #expect(disk.makeReadOnly())
        let refused = failure {
            let store = try openStore(folder)
            try store.commit([.putRequest(Sample.request("b"))])
        }
        expectPlain(refused, .readOnly, folder.path)
        #expect(try folder.names() == ["runner.sqlite"])
    }
}

extension String {
    /// Whether the text uses a word that only people who know databases understand.
    fileprivate var usesDatabaseWords: Bool {
        let words = ["sql", "database", "transaction", "wal", "pragma", "constraint"]
        return words.contains { lowercased().split(separator: " ").contains(Substring($0)) }
    }
}

/// A file system in memory, mounted over a folder.
private struct SmallDisk {
    let path: String

    static var isPossible: Bool {
        guard geteuid() == 0, let folder = try? TemporaryFolder(),
            let disk = SmallDisk(at: folder.path, size: "size=1m")
        else { return false }
        disk.remove()
        return true
    }

    init?(at path: String, size: String) {
        guard mount("tmpfs", path, "tmpfs", 0, size) == 0 else { return nil }
        self.path = path
    }

    func makeReadOnly() -> Bool {
        mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0
    }

    func remove() {
        umount2(path, Int32(MNT_DETACH))
    }
}
