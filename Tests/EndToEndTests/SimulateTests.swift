import Foundation
import Testing

@Suite("Virtual days, with the real program and no daemon", .serialized)
struct SimulateTests {
    private static func scenario(_ name: String) -> String {
        Programs.examples.appendingPathComponent("scenarios/\(name).json").path
    }

    /// The start of a task's first run on a device of a report, without its date.
    private func firstRun(_ report: JSONNode, _ device: String, _ task: String) -> String? {
        let devices = report["devices"].elements.filter { $0["name"].text == device }
        let tasks = devices.flatMap { $0["tasks"].elements }.filter { $0["identifier"].text == task }
        return tasks.first?["requests"][0]["startedAt"].text
    }

    @Test("the published day is granted what it must be, by the program that people have")
    func publishedDay() async throws {
        try await Scene.with { scene in
            let day = try await scene.control("simulate", Self.scenario("device-day"), "--json")
            #expect(day.status == 0, "\(day)")
            #expect(day.errors == "")
            #expect(firstRun(day.json, "phone", "com.example.news.refresh") == "2026-03-02T14:20:00.000Z")
            #expect(firstRun(day.json, "phone", "com.example.news.cleanup") == "2026-03-03T00:30:00.000Z")
            #expect(firstRun(day.json, "tablet", "com.example.photos.upload") == "2026-03-03T02:10:00.000Z")
            let again = try await scene.control("simulate", Self.scenario("device-day"), "--json")
            #expect(again.output == day.output, "the same file and seed give the same days")
        }
    }

    @Test("every scenario of the examples can be lived, told, compared and drawn")
    func examples() async throws {
        let files = try FileManager.default.contentsOfDirectory(
            atPath: Programs.examples.appendingPathComponent("scenarios").path
        ).filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
        #expect(files.contains("device-day") && files.count >= 4)
        try await Scene.with { scene in
            for name in files {
                let pictures = ["--svg", scene.path("\(name).svg"), "--html", scene.path("\(name).html")]
                let told = try await scene.run(
                    Programs.runnerctl, ["simulate", Self.scenario(name)] + pictures)
                #expect(told.status == 0, "\(told)")
                #expect(told.errors == "")
                #expect(told.output.contains("TASK"))
                #expect(!told.output.contains("\u{1B}"), "no colours in a file")
                #expect(scene.text("\(name).svg").contains("<svg"))
                #expect(scene.text("\(name).html").contains("<html"))
                let chances = try await scene.control(
                    "simulate", Self.scenario(name), "--runs", "3", "--before", "15:00")
                #expect(chances.status == 0, "\(chances)")
                #expect(chances.output.contains("BEFORE 15:00"))
                let compared = try await scene.control(
                    "simulate", Self.scenario(name), "--compare", Self.scenario("device-day"))
                #expect(compared.status == 0, "\(compared)")
            }
        }
    }

    @Test("nobody reading, a full disk and a bad file are an end with a word or none, and never a crash")
    func badSurroundings() async throws {
        try await Scene.with { scene in
            let file = Self.scenario("device-day")
            let program = Programs.runnerctl.path
            let closed = try await scene.run(
                Programs.bash, ["-c", "\"$0\" simulate \"$1\" --json | true; echo ${PIPESTATUS[0]}", program, file])
            #expect(closed.output == "0\n")
            #expect(closed.errors == "")
            let full = try await scene.run(Programs.bash, ["-c", "\"$0\" simulate \"$1\" > /dev/full", program, file])
            #expect(full.status == 1)
            #expect(full.errors.hasPrefix("runnerctl: The output could not be written: "))
            let unwritable = try await scene.control("simulate", file, "--svg", scene.path("no/day.svg"))
            #expect(unwritable.status == 1)
            #expect(unwritable.errors.hasSuffix("day.svg could not be written: No such file or directory.\n"))
            #expect(unwritable.output == "")
            try scene.write("{\n\"devices\": [{}],\n\"app\": []\n}", to: "bad.json")
            let bad = try await scene.control("simulate", scene.path("bad.json"))
            #expect(bad.status == 2)
            #expect(bad.errors.contains("bad.json:3: error: app: There is no such key.\n  fix: Did you mean apps?\n"))
        }
    }

    @Test("a scenario may come from another program")
    func pipe() async throws {
        try await Scene.with { scene in
            let piped = try await scene.run(
                Programs.bash,
                [
                    "-c", "\"$0\" simulate <(sed s/device-day/piped/ \"$1\") --runs 2", Programs.runnerctl.path,
                    Self.scenario("device-day"),
                ])
            #expect(piped.status == 0, "\(piped)")
            #expect(piped.output.hasPrefix("piped: 2 days, lived 2 times with the seeds 1 to 2.\n"))
        }
    }
}
