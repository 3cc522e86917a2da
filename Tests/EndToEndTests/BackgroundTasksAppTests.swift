import Foundation
import Glibc
import Testing

@Suite("Programs that import BackgroundTasks, alone and in the daemon", .serialized)
struct BackgroundTasksAppTests {
    private static let isPossible = OrdinaryUser.isAvailable

    @Test(
        "a handler that keeps the main queue busy holds nothing else up, and is expired",
        .enabled(if: isPossible), arguments: AppProgram.Life.allCases)
    func scheduler(life: AppProgram.Life) async throws {
        try await Scene.with { scene in
            try await AppProgram.scheduler.live(life, in: scene) { live in
                let (refresh, clean) = ("com.example.scheduler.refresh", "com.example.scheduler.clean")
                #expect(try await live.pending().map { $0["identifier"] } == [.string(refresh)])
                // Its class is the one of its request's kind, which a handler's registration does not say.
                let submitted = try await live.control("submit", clean, "--kind", "processing", "--earliest", "+1h")
                #expect(submitted.status == 0)
                #expect(try await live.control("simulate-launch", clean, "--no-wait").status == 0)
                try await scene.wait("it cleans") { try await live.running(clean) != nil }
                let run = try await live.control("simulate-launch", refresh, "--wait")
                #expect(run.json["run"]["state"] == "succeeded", "\(run)")
                #expect(run.json["run"]["kind"] == "appRefresh")
                // Submitted by its handler, while the main queue is busy.
                #expect(try await live.pending().map { $0["identifier"] } == [.string(refresh)])
                let expired = try await live.control("simulate-expiration", clean, "--wait").json["run"]
                #expect(expired["state"] == "failed")
                #expect(expired["expirationReason"] == "simulated")
            }
        }
    }

    @Test(
        "continued processing begins at a tap, shows how far it is, and ends when a person stops it (B29)",
        .enabled(if: isPossible), arguments: AppProgram.Life.allCases)
    func continued(life: AppProgram.Life) async throws {
        try await Scene.with { scene in
            try await AppProgram.scheduler.live(life, in: scene) { live in
                let export = "com.example.scheduler.export.photos"
                #expect(
                    try await live.control("simulate-launch", "com.example.scheduler.refresh", "--wait").status == 0)
                try await scene.wait("there is progress in steps of the child") {
                    let progress = try await live.running(export)?["progress"] ?? .null
                    let isStep = progress["subtitle"].text?.hasSuffix(" of 400 photos") == true
                    return (progress["fraction"].number ?? 0) > 0 && isStep && progress["title"] == "Export"
                }
                let run = try #require(try await live.running(export))
                #expect(run["kind"] == "continuedProcessing")
                let number = try #require(run["run"].integer)
                let shown = try await live.text("progress")
                #expect(shown.output.hasPrefix("run \(number) running ["), "\(shown)")
                #expect(shown.output.contains("% \(export) Export: "), "\(shown)")
                let follower = try live.start("progress", "--follow")
                defer { follower.signal(SIGKILL) }
                try await scene.wait("two steps are shown: \(follower.outputLinesSoFar)") {
                    follower.outputLinesSoFar.count >= 2
                }
                #expect(try await live.control("stop", export).status == 0)
                let ended = try await live.ended(export)
                #expect(ended["expirationReason"] == "stopped")
                #expect(ended["state"] == "failed")
                try await scene.wait("its end is shown: \(follower.outputLinesSoFar)") {
                    follower.outputLinesSoFar.contains { $0.contains("run \(number) failed stopped") }
                }
            }
        }
    }

    @Test(
        "an application's delegate launches, schedules and refreshes on the main actor",
        .enabled(if: isPossible), arguments: AppProgram.Life.allCases)
    func delegate(life: AppProgram.Life) async throws {
        try await Scene.with { scene in
            try await AppProgram.delegate.live(life, in: scene) { live in
                let (refresh, clean) = ("com.example.delegate.refresh", "com.example.delegate.clean")
                try await scene.wait("it has scheduled both") { try await live.pending().count == 2 }
                for number in 1...2 {
                    let run = try await live.control("simulate-launch", refresh, "--wait")
                    #expect(run.json["run"]["state"] == "succeeded", "\(number): \(run)")
                }
                let cleaning = try #require(
                    try await live.pending().first { $0["identifier"] == .string(clean) })
                #expect(cleaning["requiresExternalPower"] == true)
                #expect(try await live.control("simulate-launch", clean, "--wait").json["run"]["state"] == "succeeded")
                #expect(try await live.pending().map { $0["identifier"] } == [.string(refresh)])
            }
        }
    }

    @Test(
        "a SwiftUI program has its scenes' tasks: they complete when they return, and are cancelled on expiration (B28)",
        .enabled(if: isPossible), arguments: AppProgram.Life.allCases)
    func swiftUI(life: AppProgram.Life) async throws {
        try await Scene.with { scene in
            try await AppProgram.swiftUI.live(life, in: scene) { live in
                let (refresh, clean) = ("com.example.swiftui.refresh", "com.example.swiftui.clean")
                // By the change of the scene's phase.
                try await scene.wait("it has scheduled") { try await live.pending().count == 1 }
                let run = try await live.control("simulate-launch", refresh, "--wait")
                #expect(run.json["run"]["state"] == "succeeded", "\(run)")
                #expect(try await live.pending().count == 1)
                #expect(try await live.control("simulate-launch", clean, "--submit", "--no-wait").status == 0)
                try await scene.wait("it cleans") { try await live.running(clean) != nil }
                #expect(try await live.control("simulate-expiration", clean, "--wait").status == 0)
                #expect(try await live.ended(clean)["expirationReason"] == "simulated")
            }
        }
    }
}
