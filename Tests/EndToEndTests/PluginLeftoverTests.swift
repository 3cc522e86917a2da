import Foundation
import Glibc
import Testing

@Suite("Plugins when the daemon is killed", .timeLimit(.minutes(2)))
struct PluginLeftoverTests {
    private static let slow = "com.example.good.slow"
    private static let other = "com.example.zoo.other"

    private func end(_ daemon: Command) async {
        daemon.signal(SIGKILL)
        #expect(await daemon.wait().status == -SIGKILL)
    }

    private func newestRun(_ scene: Scene, of identifier: String) async throws -> JSONNode {
        try await scene.ask("history", ["identifier": .string(identifier), "limit": 1])["runs"][0]
    }

    @Test("a polite plugin exits at the end of file; its run is interrupted, and what was pending is pending")
    func polite() async throws {
        try await Scene.with { scene in
            let zoo = try ZooScene(scene)
            try await scene.withDaemon { daemon in
                try await zoo.runNeighbour()
                try await zoo.submit("com.example.good.rearm")
                try await scene.ask("simulateLaunch", ["identifier": .string(Self.slow), "submit": true])
                #expect(zoo.leftProcesses(of: daemon, bundle: "good").count == 1)
                await end(daemon)
                try await scene.wait("its process has exited") {
                    zoo.leftProcesses(of: daemon, bundle: "good").isEmpty
                }
            }
            try await scene.withDaemon { _ in
                #expect(try await newestRun(scene, of: Self.slow)["state"] == "interrupted")
                #expect(try await zoo.isPending("com.example.good.rearm"))
                // What it registers is known, so nothing was started until now.
                let app = try await zoo.app("good")
                #expect(app["state"] == "idle", "\(app)")
                #expect(try await zoo.gate("launching", of: "com.example.good.rearm")["verdict"] == "open")
                try await zoo.runNeighbour()
            }
        }
    }

    @Test("no second process is started beside one that lives on, and one is when it is gone")
    func stubborn() async throws {
        try await Scene.with { scene in
            let zoo = try ZooScene(scene)
            try zoo.writeBundle("zoo", animal: "outlives_the_runner", tasks: ["run", "other"])
            var left: Int32 = 0
            try await scene.withDaemon { daemon in
                try await scene.ask("simulateLaunch", ["identifier": .string(ZooScene.task), "submit": true])
                left = try #require(try await zoo.process(of: "zoo"))
                await end(daemon)
            }
            defer { zoo.kill(left, of: "zoo") }
            try await scene.withDaemon { daemon in
                #expect(try await newestRun(scene, of: ZooScene.task)["state"] == "interrupted")
                try await zoo.submit(Self.other, isDue: true)
                try await zoo.submit(ZooScene.task, isDue: true)
                let launching = try await zoo.gate("launching", of: Self.other)
                #expect(launching["verdict"] == "closed")
                #expect(launching["detail"].text?.contains("an earlier runner started still lives; end it") == true)
                #expect(try await zoo.gate("alreadyRunning", of: Self.other)["verdict"] == "open")
                #expect(try await zoo.gate("alreadyRunning", of: ZooScene.task)["source"] == "leftover process")

                let app = try await zoo.app("zoo")
                #expect(app["process"].integer == Int(left))
                #expect(app["diagnostics"].elements.contains { $0["name"] == "leftoverProcess" })
                // A simulation passes gates, but nothing may run beside it.
                for task in [Self.other, ZooScene.task] {
                    let error = try await scene.call("simulateLaunch", ["identifier": .string(task)])["error"]
                    #expect(error["data"]["kind"] == "alreadyRunning", "\(error)")
                }
                try await zoo.runNeighbour()
                #expect(zoo.leftProcesses(of: daemon, bundle: "zoo") == ["\(left)"])

                #expect(zoo.kill(left, of: "zoo"))
                try await scene.wait("both run by themselves") {
                    try await scene.ask("running")["runs"].elements.count == 2
                }
                let next = try #require(try await zoo.process(of: "zoo"))
                #expect(next != left)
                #expect(zoo.leftProcesses(of: daemon, bundle: "zoo") == ["\(next)"])
                #expect(zoo.kill(next, of: "zoo"))
                try await scene.wait("its process is gone") {
                    zoo.leftProcesses(of: daemon, bundle: "zoo").isEmpty
                }
            }
        }
    }

    @Test("a request whose launch was not answered when the daemon died comes back, one attempt later")
    func betweenClaimAndEntry() async throws {
        try await Scene.with { scene in
            let zoo = try ZooScene(scene)
            try zoo.writeBundle("zoo", animal: "never_answers", tasks: ["run"])
            try await scene.withDaemon { daemon in
                try await zoo.wait(for: "zoo", toBe: "launched")
                try await zoo.submit(ZooScene.task, isDue: true)
                try await scene.wait("it is claimed") {
                    try await scene.ask("running")["runs"][0]["state"] == "starting"
                }
                await end(daemon)
                try await scene.wait("its process has exited") {
                    zoo.leftProcesses(of: daemon, bundle: "zoo").isEmpty
                }
            }
            try zoo.writeBundle("zoo", animal: "tells_of_itself", tasks: ["run"])
            try await scene.withDaemon { _ in
                let start = try await newestRun(scene, of: ZooScene.task)
                #expect(start["state"] == "interrupted")
                #expect(start["attempt"] == 1)
                #expect(start["diagnostics"].elements.contains { $0["name"] == "startInterrupted" })
                let requests = try await scene.ask("pending")["requests"].elements
                #expect(requests.map { $0["attempts"] } == [1])

                let run = try await zoo.launch(ZooScene.task)
                #expect(run["state"] == "succeeded")
                #expect(run["attempt"] == 2)
                let told = try await scene.ask("log", ["run": run["run"]])["lines"][0]["text"]
                #expect(JSONNode(told.text ?? "")["attempt"] == 2)
            }
        }
    }
}
