import Foundation
import Glibc
import Testing

@Suite("Libraries of another build than the daemon's")
struct ForeignLibraryTests {
    /// How a library is built, and whether it then has Swift's library inside.
    struct Build: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var options: [String]
        var isStatic: Bool
    }

    private static let builds = [
        Build(testDescription: "with a static standard library", options: ["-O", "-static-stdlib"], isStatic: true),
        Build(
            testDescription: "in another mode of the language", options: ["-O", "-swift-version", "5"],
            isStatic: false),
    ]

    private func build(_ scene: Scene, _ build: Build) async throws {
        let library = scene.path("plugins/foreign.plugin/libForeign.so")
        try scene.write(
            """
            {"CFBundleIdentifier": "com.example.foreign", "UIBackgroundModes": ["processing"],
             "BGTaskSchedulerPermittedIdentifiers": ["com.example.foreign.run"],
             "RunnerPlugin": {"library": "libForeign.so"}}
            """, to: "plugins/foreign.plugin/Info.json")
        let source = Programs.fixtures.appendingPathComponent("plugins/foreign/Foreign.swift").path
        let outcome = try await scene.run(
            Programs.env,
            ["swiftc", "-emit-library", "-parse-as-library", "-module-name", "Foreign", "-o", library, source]
                + build.options)
        try #require(outcome.status == 0, "\(outcome.errors)")
    }

    @Test("the daemon loads it into a process that has no other Swift runtime, and runs it", arguments: builds)
    func runs(build: Build) async throws {
        try await Scene.with { scene in
            try await self.build(scene, build)
            try await scene.withDaemon { _ in
                let run = try await scene.ask(
                    "simulateLaunch", ["identifier": "com.example.foreign.run", "submit": true, "wait": true])["run"]
                #expect(run["state"] == "succeeded")
                #expect(run["message"] == "the sum is 338350")

                let process = try #require(try await scene.ask("apps")["apps"][0]["process"].integer)
                // The kernel gives it in several parts, of which Foundation reads only the first.
                let maps = try await scene.run(Programs.env, ["cat", "/proc/\(process)/maps"]).output
                #expect(maps.contains("foreign.plugin/libForeign.so"))
                #expect(maps.contains("/runner-plugin-host"))
                #expect(maps.contains("/libswiftCore.so") == !build.isStatic, "\(maps)")
            }
        }
    }
}
