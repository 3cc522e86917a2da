import RPC
import Testing

@testable import RunnerControl

/// What a life tells of waits, clocks and conditions; every way of telling says the same.
@Suite("The account of a life")
struct LifeAccountTests {
    private let folder: ScenarioFolder

    init() throws {
        folder = try ScenarioFolder()
    }

    private func simulate(_ text: String, _ arguments: String...) throws -> Session {
        Session(["simulate", try folder.write(text, to: "day.json")] + arguments)
    }

    private func device(_ text: String) throws -> JSONValue {
        let output = try simulate(text, "--json").output
        return try #require(try JSONDocument.parse(Array(output.utf8.dropLast())).root["devices"]?.array?.first)
    }

    private func words(_ line: String) -> [String] { line.split(separator: " ").map { String($0) } }

    /// A task that waits for power from 01:00 on, and what else happens.
    private func scenario(_ events: String, submission: String = "", days: Int = 1) -> String {
        """
        {"days": \(days), "devices": [{"name": "p", "policy": "prompt", "conditions": {"externalPower": false}}],
         "apps": [{"app": "c.e.a", "tasks": [
            {"identifier": "c.e.a.t", "kind": "processing", "requiresExternalPower": true}]}],
         "events": [{"at": "01:00", "day": 1, "submit": "c.e.a.t"\(submission)}, \(events),
                    {"at": "12:00", "externalPower": true}]}
        """
    }

    // MARK: Waits

    @Test(
        "a wait goes on over a reboot and an OS upgrade, and the time in which the device was off is told",
        arguments: [#""reboot": "10m""#, #""osUpgrade": "27.1""#])
    func reboot(event: String) throws {
        let text = scenario(#"{"at": "06:00", \#(event)}"#)
        let line = try simulate(text).console.lines[3]
        #expect(
            words(line)
                == words("c.e.a.t 01:00 12:00 11h externalPower 10h 50m, device off 10m succeeded in 10s"))
        let request = try #require(try device(text)["tasks"]?.array?.first?["requests"]?.array?.first)
        #expect(request["waitedSeconds"]?.integer == 39_600)
        let waits = try #require(request["waits"]?.array)
        #expect(waits.map { $0["gate"]?.string } == ["externalPower", "device off", "externalPower"])
        #expect(waits.map { $0["seconds"]?.integer } == [18_000, 600, 21_000])
        #expect(waits.last?["from"]?.string == "2026-01-05T06:10:00.000Z")
        for option in ["--svg", "--html"] {
            _ = try simulate(text, option, folder.path + "/picture")
            let picture = try folder.text("picture")
            #expect(picture.contains("granted 12:00 after 11h"), "\(option)")
            #expect(picture.contains("device off for 10m"), "\(option)")
        }
    }

    @Test("a wait goes on over a crash")
    func crash() throws {
        let line = try simulate(scenario(#"{"at": "06:00", "crash": true}"#)).console.lines[3]
        #expect(words(line) == words("c.e.a.t 01:00 12:00 11h externalPower 11h succeeded in 10s"))
    }

    @Test("a wait is the time that was lived, whatever the clock showed meanwhile")
    func clockSet() throws {
        let line = try simulate(scenario(#"{"at": "06:00", "setClock": "+3h"}"#)).console.lines[3]
        #expect(words(line) == words("c.e.a.t 01:00 15:00 11h externalPower 11h succeeded in 10s"))
        let back = try simulate(scenario(#"{"at": "06:00", "setClock": "-3h"}"#)).console.lines[3]
        #expect(words(back) == words("c.e.a.t 01:00 09:00 11h externalPower 11h succeeded in 10s"))
    }

    @Test("a request waits from its floor on, which is told beside what held it")
    func floor() throws {
        let floored = scenario(#"{"at": "06:00", "reboot": "10m"}"#, submission: #", "after": "4h""#)
        #expect(
            words(try simulate(floored).console.lines[3])
                == words(
                    "c.e.a.t 01:00 05:00 12:00 7h externalPower 6h 50m, earliestBeginDate 4h, device off 10m succeeded in 10s"
                ))
    }

    @Test("what still waits has waited until the end")
    func pending() throws {
        let text = scenario(#"{"at": "06:00", "reboot": "10m"}"#).replacing(
            #"{"at": "12:00", "externalPower": true}"#, with: #"{"at": "23:00", "reboot": "2h"}"#)
        let line = try simulate(text).console.lines[3]
        #expect(words(line) == words("c.e.a.t 01:00 still waits 23h externalPower 21h 50m, device off 1h 10m"))
    }

    @Test("a wait is rounded to what a person reads")
    func rounded() throws {
        let text = scenario(#"{"at": "02:00", "idle": true}"#).replacing("12:00", with: "12:00:31")
        let session = try simulate(text)
        #expect(session.console.lines[3].contains(" 11h 1m "), "\(session.output)")
    }

    // MARK: Clocks

    @Test("a floor is the next time that the device's clock shows it, also when the clock was set")
    func floorAfterClockSet() throws {
        let text = """
            {"days": 2, "devices": [{"policy": "prompt"}],
             "apps": [{"app": "c.e.a", "tasks": [{"identifier": "c.e.a.t", "kind": "processing"}]}],
             "events": [{"at": "02:00", "day": 1, "setClock": "CHANGE"},
                {"at": "08:00", "day": 1, "submit": "c.e.a.t", "earliestBeginDate": "09:30"}]}
            """
        let ahead = try simulate(text.replacing("CHANGE", with: "+1h")).console.lines[3]
        #expect(words(ahead).prefix(4) == ["c.e.a.t", "09:00", "09:30", "09:30"])
        let back = try simulate(text.replacing("CHANGE", with: "-3h")).console.lines[3]
        #expect(words(back).prefix(4) == ["c.e.a.t", "05:00", "09:30", "09:30"])
        let late = try simulate(text.replacing("CHANGE", with: "+2h")).console.lines[3]
        #expect(words(late).prefix(6) == ["c.e.a.t", "10:00", "day", "2", "09:30", "day"])
    }

    // MARK: Conditions

    @Test("what holds from the start is told from the start, said or assumed")
    func conditionsFromStart() throws {
        let text = """
            {"devices": [{"policy": "prompt", "conditions": {"idle": true, "lowPowerMode": true}}],
             "apps": [{"app": "c.e.a"}],
             "events": [{"at": "08:00", "open": "c.e.a"}, {"at": "09:00", "lowPowerMode": false}]}
            """
        let bands = try #require(try device(text)["conditions"]?.array).map { band in
            [band["condition"], band["from"], band["to"]].map { $0?.string ?? "" }.joined(separator: " ")
                .replacing(":00.000Z", with: "").replacing("2026-01-0", with: "")
        }
        #expect(
            bands == [
                "externalPower 5T00:00 6T00:00", "idle 5T00:00 5T08:00", "lowPowerMode 5T00:00 5T09:00",
                "idle 5T08:10 6T00:00",
            ])
    }

    @Test("after a boot the bands are of what is so then")
    func conditionsAfterBoot() throws {
        let text = """
            {"devices": [{"policy": "prompt", "conditions": {"externalPower": false}}], "apps": [{"app": "c.e.a"}],
             "events": [{"at": "08:00", "open": "c.e.a"}, {"at": "08:05", "reboot": "1h"}]}
            """
        let bands = try #require(try device(text)["conditions"]?.array).map { band in
            "\(band["condition"]?.string ?? "") \(band["from"]?.string?.dropFirst(11).prefix(5) ?? "")"
        }
        #expect(bands == ["idle 00:00", "off 08:05", "idle 09:05", "locked 09:05"])
    }
}
