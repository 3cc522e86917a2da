import Foundation
import Testing

/// The bundles of `examples/plugin-swift`, made from what was built.
enum MailBundles {
    /// A folder with one bundle, `mail.plugin`: of the program, or of the library.
    static func assemble(_ scene: Scene, _ kind: String) async throws -> URL {
        let script = Programs.examples.appendingPathComponent("plugin-swift/assemble")
        let outcome = try await scene.run(
            Programs.bash, [script.path, Programs.folder.path, scene.path("bundles")])
        try #require(outcome.status == 0, "\(outcome.errors)")
        return scene.folder.appendingPathComponent("bundles/\(kind)")
    }
}
