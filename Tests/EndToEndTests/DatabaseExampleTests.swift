import Foundation
import Testing

@Suite("The database example", .serialized)
struct DatabaseExampleTests {
    private let identifier: JSONNode = "com.example.database.compact"
    private let plugins = [Programs.examples.appendingPathComponent("database")]

    /// Makes a database of which most is free, and gives its size.
    private func make(_ scene: Scene, autoVacuum: Int, journal: String) async throws -> Int {
        let script = """
            import sqlite3, sys
            database = sqlite3.connect(sys.argv[1])
            database.execute(f"PRAGMA auto_vacuum = {sys.argv[2]}")
            database.execute(f"PRAGMA journal_mode = {sys.argv[3]}")
            database.execute("CREATE TABLE entries (number INTEGER PRIMARY KEY, text TEXT)")
            database.execute("CREATE INDEX by_text ON entries (text)")
            database.execute("CREATE TABLE \\"it's\\" (value)")
            database.executemany("INSERT INTO entries VALUES (?, ?)", ((n, f"{n:0300}") for n in range(20000)))
            database.execute("DELETE FROM entries WHERE number % 5")
            database.commit()
            """
        let path = scene.path("the data.db")
        let outcome = try await scene.run(
            Programs.python, ["-c", script, path, "\(autoVacuum)", journal])
        try #require(outcome.status == 0, "\(outcome)")
        return try size(scene)
    }

    private func size(_ scene: Scene) throws -> Int {
        try #require(
            try FileManager.default.attributesOfItem(atPath: scene.path("the data.db"))[.size] as? Int)
    }

    /// What SQLite says of it, and how many rows there are.
    private func verdict(_ scene: Scene) async throws -> String {
        let script = """
            import sqlite3, sys
            database = sqlite3.connect(sys.argv[1])
            print(database.execute("PRAGMA integrity_check").fetchone()[0],
                  database.execute("SELECT count(*), count(DISTINCT text) FROM entries").fetchone())
            """
        return try await scene.run(Programs.python, ["-c", script, scene.path("the data.db")]).output
    }

    private func options(_ scene: Scene, _ more: [String] = []) -> [String] {
        let all = ["DATABASE_FILE=\(scene.path("the data.db"))"] + more
        return all.flatMap { ["--define", $0] }
    }

    @Test(
        "it checks and compacts a database, whatever its mode", arguments: [(0, "DELETE"), (2, "WAL"), (2, "DELETE")])
    func compacts(autoVacuum: Int, journal: String) async throws {
        try await Scene.with { scene in
            let before = try await make(scene, autoVacuum: autoVacuum, journal: journal)
            try await scene.withDaemon(plugins: plugins, options: options(scene)) { _ in
                let run = try await scene.ask(
                    "simulateLaunch", ["identifier": identifier, "submit": true, "wait": true])["run"]
                let lines = try await scene.ask("log", ["run": run["run"]])["lines"]
                #expect(run["state"] == "succeeded", "\(lines)")
                #expect(run["progress"]["fraction"] == 1)
                #expect(try size(scene) < before / 2)
                #expect(try await verdict(scene) == "ok (4000, 4000)\n")
            }
        }
    }

    @Test("expired half way it is sound, and what was done stays done")
    func expired() async throws {
        try await Scene.with { scene in
            let before = try await make(scene, autoVacuum: 2, journal: "DELETE")
            let slowly = ["DATABASE_STEP_PAGES=20", "DATABASE_REST=0.05"]
            try await scene.withDaemon(plugins: plugins, options: options(scene, slowly)) { _ in
                try await scene.ask("simulateLaunch", ["identifier": identifier, "submit": true])
                try await scene.wait("it has begun to compact") {
                    (try await scene.ask("running")["runs"][0]["progress"]["fraction"].number ?? 0) > 0.52
                }
                let run = try await scene.ask("simulateExpiration", ["identifier": identifier, "wait": true])["run"]
                #expect(run["state"] == "expired")
                #expect(run["exit"] == ["code": 143])
                #expect(!run["diagnostics"].elements.contains { $0["name"] == "graceEnded" })
            }
            let between = try size(scene)
            #expect(between < before)
            #expect(try await verdict(scene) == "ok (4000, 4000)\n")
            try await scene.withDaemon(plugins: plugins, options: options(scene)) { _ in
                let run = try await scene.ask(
                    "simulateLaunch", ["identifier": identifier, "submit": true, "wait": true])["run"]
                #expect(run["state"] == "succeeded")
            }
            #expect(try size(scene) < between)
            #expect(try await verdict(scene) == "ok (4000, 4000)\n")
        }
    }

    @Test("a damaged database is not touched, and the run fails")
    func damaged() async throws {
        try await Scene.with { scene in
            _ = try await make(scene, autoVacuum: 2, journal: "DELETE")
            let url = URL(fileURLWithPath: scene.path("the data.db"))
            let handle = try FileHandle(forWritingTo: url)
            try handle.seek(toOffset: 4096 * 30)
            try handle.write(contentsOf: Data(repeating: 0x5A, count: 4096 * 3))
            try handle.close()
            let before = try Data(contentsOf: url)
            try await scene.withDaemon(plugins: plugins, options: options(scene)) { _ in
                let run = try await scene.ask(
                    "simulateLaunch", ["identifier": identifier, "submit": true, "wait": true])["run"]
                #expect(run["state"] == "failed")
                let lines = try await scene.ask("log", ["run": run["run"]])["lines"].elements
                #expect(lines.contains { $0["text"].text?.contains("damaged") == true }, "\(lines)")
            }
            #expect(try Data(contentsOf: url) == before)
        }
    }
}
