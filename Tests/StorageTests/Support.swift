import FoundationEssentials
import Glibc
import Scheduling
import Testing

@testable import Storage

/// A folder that goes when the test ends.
final class TemporaryFolder {
    let path: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "storage-\(UInt64.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String) -> URL {
        URL(filePath: path + "/" + name)
    }

    /// The names in the folder, in order.
    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    /// Puts garbage, in place, into the first page of a table or index of the folder's store.
    func overwriteRoot(of name: String) throws {
        let copy = try copy()
        let connection = try SQLiteConnection(folder: copy.path)
        let page = try connection.number("SELECT rootpage FROM sqlite_schema WHERE name = '\(name)'")
        connection.close()
        let size = SQLiteOptions().pageSize
        let file = try #require(fopen(path + "/runner.sqlite", "r+"))
        defer { fclose(file) }
        #expect(fseek(file, Int(page - 1) * size, SEEK_SET) == 0)
        #expect(fwrite([UInt8](repeating: 0xA5, count: size), 1, size, file) == size)
    }

    /// A copy of the folder as it is now, as a crash would leave it.
    func copy() throws -> TemporaryFolder {
        let copy = try TemporaryFolder()
        for name in try names() { try Data(contentsOf: file(name)).write(to: copy.file(name)) }
        return copy
    }
}

/// Some time in 2025.
let noon = WallTime(milliseconds: 1_750_000_000_000)

func openStore(_ folder: TemporaryFolder, _ change: (inout SQLiteOptions) -> Void = { _ in }) throws -> SQLiteStore {
    var options = SQLiteOptions()
    change(&options)
    return try SQLiteStore(folder: folder.path, options: options, now: noon)
}

enum Sample {
    static func identifier(_ name: String) -> TaskIdentifier {
        TaskIdentifier(checked: "com.example.\(name)")
    }

    static let app = AppIdentifier(checked: "com.example")
    static let boot = BootIdentifier("6b1f0a52-1111-4a52-9d35-7f0a4c9b1234")

    /// A request with little in it.
    static func request(_ name: String, submission: Int64 = 1) -> PendingRequest {
        PendingRequest(
            identifier: identifier(name), app: app, kind: .appRefresh, submittedAt: noon,
            submittedBoot: BootTime(milliseconds: 5_000), bootIdentifier: boot, submission: submission)
    }

    /// A request with something in every field.
    static func fullRequest(_ name: String, submission: Int64 = 7) -> PendingRequest {
        var request = request(name, submission: submission)
        request.kind = .continuedProcessing
        request.floor = WallTime(milliseconds: -1)
        request.requiresNetworkConnectivity = true
        request.requiresExternalPower = true
        request.title = "Ein Titel mit Umlauten: äöü 🐑"
        request.subtitle = String(repeating: "long ", count: 1_000)
        request.strategy = .queue
        request.maker = .retry
        request.attempts = 2
        request.postponements = 3
        request.backoffUntil = BootTime(milliseconds: 99_000)
        return request
    }

    static func run(_ number: Int64, _ name: String = "task", _ state: RunState = .starting) -> RunRecord {
        var run = RunRecord(
            run: RunIdentifier(number), request: request(name, submission: number), origin: .scheduled, attempt: 1,
            state: state, startedAt: noon, startedBoot: BootTime(milliseconds: 6_000))
        if state.isEnded { run.endedAt = noon }
        return run
    }

    /// A run with something in every field.
    static func fullRun(_ number: Int64) -> RunRecord {
        var run = run(number, "full", .expired)
        run.request = fullRequest("full", submission: number)
        run.origin = .simulated
        run.attempt = 3
        run.claimCancelled = true
        run.waitedMilliseconds = 12_345
        run.waits = [GateWait(gate: .network, milliseconds: 12_000), GateWait(gate: .concurrency, milliseconds: 345)]
        run.endedBoot = BootTime(milliseconds: 7_000)
        run.budgetMilliseconds = 30_000
        run.expiredAt = noon
        run.expirationReason = .conditionLost
        run.message = "the network\u{0} went"
        run.progress = RunProgress(fraction: 0.25, title: "Quarter", subtitle: "")
        run.exit = .signal(9)
        run.process = ProcessMark(group: 4_242, startTime: UInt64.max, bootIdentifier: boot)
        run.diagnostics = [
            Diagnostic(
                .graceEnded, .warning, at: noon, identifier: identifier("full"), message: "It did not end.",
                expected: "an end", fix: "End sooner.")
        ]
        return run
    }

    static func deviceChange(_ milliseconds: Int64, _ value: ConditionValue? = .flag(true)) -> DeviceChange {
        DeviceChange(
            at: WallTime(milliseconds: milliseconds), condition: .externalPower, value: value, source: "test",
            overridden: false)
    }
}

/// One of the stores that must behave the same, with its way to be opened again.
enum TestedStore: String, CaseIterable, CustomTestStringConvertible {
    case memory
    case sqlite

    var testDescription: String { rawValue }

    /// Runs the body with an empty store, and with a function that opens it as the start after a crash would.
    func use(_ body: (any RequestStore, () throws -> any RequestStore) throws -> Void) throws {
        switch self {
        case .memory:
            let store = MemoryStore()
            try body(store) { store.afterCrash() }
        case .sqlite:
            let folder = try TemporaryFolder()
            let store = try openStore(folder)
            var copies: [TemporaryFolder] = []
            try body(store) {
                let copy = try folder.copy()
                copies.append(copy)
                return try openStore(copy)
            }
            store.close()
        }
    }
}

/// The failure that the body throws.
func failure(_ body: () throws -> Void) -> StoreFailure? {
    do {
        try body()
        return nil
    } catch {
        return error as? StoreFailure
    }
}

extension RequestStore {
    /// The newest device changes.
    func deviceChanges(limit: Int) throws(StoreFailure) -> [DeviceChange] {
        try deviceChanges(DeviceChangeQuery(limit: limit)).changes
    }
}
