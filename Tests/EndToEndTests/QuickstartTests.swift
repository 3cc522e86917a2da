import Foundation
import Glibc
import Testing

@Suite("The quickstart: a program that embeds the runner", .serialized)
struct QuickstartTests {
    private func withProgram(_ scene: Scene, _ body: () async throws -> Void) async throws {
        // Root's programs keep their state in the system's folder; a user's do where they are told to.
        let program = try OrdinaryUser.command(
            Programs.quickstart, [], environment: places(scene), keepingOutputIn: scene.folder)
        do {
            try await scene.wait("the program answers") {
                try #require(program.process.isRunning, "\(program.errorsSoFar)")
                return try await control(scene, "status").status == 0
            }
            try await body()
        } catch {
            program.signal(SIGKILL)
            throw error
        }
        program.signal(SIGKILL)
        _ = await program.wait()
    }

    private func places(_ scene: Scene) -> [String: String] {
        ["XDG_STATE_HOME": scene.path("state"), "XDG_RUNTIME_DIR": scene.folder.path]
    }

    private func control(_ scene: Scene, _ arguments: String...) async throws -> Command.Outcome {
        try await scene.run(
            Programs.runnerctl, ["--app", "com.example.quickstart", "--json"] + arguments, environment: places(scene))
    }

    @Test(
        "its handlers run, submit, report progress and are expired, and its requests survive it",
        .enabled(if: OrdinaryUser.isAvailable))
    func quickstart() async throws {
        try await Scene.with { scene in
            let refresh = "com.example.quickstart.refresh"
            let cleanup = "com.example.quickstart.cleanup"
            var request = JSONNode.null
            try await withProgram(scene) {
                let run = try await control(scene, "simulate-launch", refresh, "--submit", "--wait")
                #expect(run.status == 0, "\(run)")
                #expect(run.json["run"]["state"] == "succeeded")
                let pending = try await control(scene, "pending").json["requests"]
                #expect(pending.elements.count == 1)
                request = pending[0]
                #expect(request["identifier"] == .string(refresh))
                let floor = try #require(request["earliestBeginDate"].date)
                #expect((840...900).contains(floor.timeIntervalSinceNow))

                #expect(try await control(scene, "simulate-launch", cleanup, "--submit", "--no-wait").status == 0)
                try await scene.wait("there is progress") {
                    let progress = try await control(scene, "running").json["runs"][0]["progress"]
                    return (progress["fraction"].number ?? 0) > 0 && progress["title"].text?.hasPrefix("folder") == true
                }
                let expired = try await control(scene, "simulate-expiration", cleanup, "--wait").json["run"]
                #expect(expired["expirationReason"] == "simulated")
                #expect(expired["state"] == "failed")
            }
            try await withProgram(scene) {
                let pending = try await control(scene, "pending").json["requests"]
                #expect(pending == [request])
            }
        }
    }
}
