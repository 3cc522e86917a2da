import Foundation
import Testing

@Suite("Timelines, and pages of days in a browser", .serialized)
struct TimelineTests {
    private static let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]

    /// What opens pages; `check_pictures.py` looks for the same.
    private static let hasBrowser = {
        let variables = ProcessInfo.processInfo.environment
        let folders = (variables["PATH"] ?? "").split(separator: ":")
        return variables["CHROMIUM"] != nil
            || names.contains { name in
                folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
            }
    }()

    /// Where everything is to be tested, a browser that is missing is a failure.
    private static let isBrowserNeeded = hasBrowser || ProcessInfo.processInfo.environment["CI"] == "true"

    /// A daemon that has had a run that succeeded, one that failed, one that was held for a while, and a request that waits.
    private func withHistory(_ body: (Scene) async throws -> Void) async throws {
        try await Scene.with { scene in
            try scene.writeBundle(
                "day",
                tasks: [
                    "refresh": ["command": ["/bin/true"], "kind": "appRefresh"],
                    "upload": ["command": ["/bin/bash", "-c", "exit 3"]],
                    "export": ["command": ["/bin/true"]],
                ])
            try await scene.withDaemon { _ in
                for task in ["refresh", "upload"] {
                    try await scene.ask(
                        "simulateLaunch",
                        ["identifier": .string("com.example.day.\(task)"), "submit": true, "wait": true])
                }
                try await scene.ask("device.override", ["condition": "externalPower", "value": false])
                try await scene.ask(
                    "submit", ["identifier": "com.example.day.export", "requiresExternalPower": true])
                try await Task.sleep(for: .milliseconds(200))
                try await scene.ask("device.clear", ["condition": "externalPower"])
                _ = try await scene.lastRun(of: "com.example.day.export")
                try await scene.ask("device.override", ["condition": "network", "value": "none"])
                try await scene.ask(
                    "submit", ["identifier": "com.example.day.upload", "requiresNetworkConnectivity": true])
                try await body(scene)
            }
        }
    }

    @Test("what a daemon did is drawn for the terminal, and told as JSON, with what held each request")
    func drawn() async throws {
        try await withHistory { scene in
            let drawn = try await scene.control("timeline", "--since", "5m")
            #expect(drawn.status == 0, "\(drawn)")
            #expect(drawn.errors == "")
            #expect(!drawn.output.contains("\u{1B}"), "no colours where nobody looks")
            for text in ["This device", "com.example.day.refresh", "com.example.day.export", "no network"] {
                #expect(drawn.output.contains(text), "\(drawn.output)")
            }
            #expect(drawn.output.split(separator: "\n").allSatisfy { $0.count <= 100 })

            let told = try await scene.control("timeline", "--json").json
            #expect(told["complete"] == true)
            #expect(told["runs"].elements.map { $0["state"].text } == ["succeeded", "failed", "succeeded"])
            let export = told["runs"].elements.first { $0["identifier"] == "com.example.day.export" }
            #expect(export?["waits"].elements.map { $0["gate"] }.contains("externalPower") == true)
            #expect(told["pending"][0]["identifier"] == "com.example.day.upload")
            let held = told["explanations"][0]["gates"].elements.filter { $0["verdict"] == "closed" }
            #expect(held.map { $0["gate"] } == ["network"])
            let byHand = told["changes"].elements.filter { $0["overridden"] == true }
            #expect(byHand.map { $0["condition"] } == ["network", "externalPower"], "newest first")

            let one = try await scene.control("timeline", "--identifier", "com.example.day.refresh", "--width", "60")
            #expect(one.output.contains("com.example.day.refresh") && !one.output.contains("com.example.day.export"))
            let other = try await scene.control("--app", "com.example.other", "timeline")
            #expect(!other.output.contains("com.example.day"))
        }
    }

    @Test("the device's changes come in pages, newest first, and are still there after a start")
    func changes() async throws {
        try await Scene.with { scene in
            try await scene.withDaemon { _ in
                for value: JSONNode in [false, true, false] {
                    try await scene.ask("device.override", ["condition": "unlocked", "value": value])
                }
            }
            try await scene.withDaemon { _ in
                var params: JSONNode = ["condition": "unlocked", "limit": 2]
                let first = try await scene.ask("device.history", params)
                #expect(first["changes"].elements.map { $0["value"] } == [false, true])
                params = ["condition": "unlocked", "before": first["next"]]
                let second = try await scene.ask("device.history", params)
                #expect(second["changes"].elements.map { $0["value"] } == [false])
                #expect(second["next"].isNull)
                let shown = try await scene.control("device", "history", "--condition", "unlocked", "--limit", "2")
                #expect(shown.status == 0, "\(shown)")
                #expect(
                    shown.output.split(separator: "\n").map { $0.contains("unlocked") } == [false, true, true, false])
                #expect(shown.output.contains("There is more: add --before"))
            }
        }
    }

    @Test(
        "pages of lived and of virtual days keep what they promise in a browser",
        .enabled(if: isBrowserNeeded, "needs chromium, which “make deps-browser” installs"))
    func pages() async throws {
        try await withHistory { scene in
            let files = ["lived.html", "lived.svg", "virtual.html", "virtual.svg"].map(scene.path)
            let lived = try await scene.control("timeline", "--html", files[0], "--svg", files[1])
            #expect(lived.status == 0, "\(lived)")
            let scenario = Programs.examples.appendingPathComponent("scenarios/device-day.json").path
            let virtual = try await scene.control("simulate", scenario, "--html", files[2], "--svg", files[3])
            #expect(virtual.status == 0, "\(virtual)")
            let checked = try await scene.run(
                Programs.python, [Programs.script("check_pictures.py").path, "--prove"] + files)
            #expect(checked.status == 0, "\(checked.output)\(checked.errors)")
        }
    }
}
