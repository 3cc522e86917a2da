import Foundation
import Plugins
import Scheduling

/// The manifest of this program: the `Info.plist` that `Bundle.main` finds beside the executable.
enum ProgramManifest {
    static func read() throws(Refusal) -> Manifest {
        let folder = Bundle.main.bundlePath
        do throws(ManifestError) {
            return try Manifest(contentsOf: folder)
        } catch {
            throw Refusal(
                .notPermitted,
                "This program has no manifest that can be used; put an Info.plist with CFBundleIdentifier and "
                    + "BGTaskSchedulerPermittedIdentifiers into \(folder). \(error)")
        }
    }
}
