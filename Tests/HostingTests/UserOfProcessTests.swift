import Platform
import Scheduling
import TestSupport
import Testing

@testable import Hosting
@testable import Plugins
@testable import Runner

/// Somebody else's code never gets more rights than it was to have.
@Suite("The user that a process runs as", .timeLimit(.minutes(1)))
struct UserOfProcessTests {
    private let goneUser = "a-user-that-is-gone"

    @Test("root gives rights away; anybody else has only their own to give")
    func rights() throws {
        let root = try #require(UserDatabase.user(uid: 0))
        #expect(try RunAs.credentials(nil, of: 0) == nil)
        #expect(try RunAs.credentials(root.name, of: 0)?.uid == 0)
        let other = try #require(UserDatabase.user(uid: 1))
        #expect(try RunAs.credentials(other.name, of: 0)?.uid == 1)
        #expect(try RunAs.credentials(other.name, of: 1) == nil)
        let problem = #expect(throws: ProcessProblem.self) { try RunAs.credentials(root.name, of: 1) }
        #expect(problem?.description.contains("started by root") == true)
    }

    @Test("a command whose user is gone since its bundle was loaded is not run, and that is said with a fix")
    func command() async throws {
        var task = HostingFixture.shell("exit 0")
        task.user = goneUser
        let fixture = try HostingFixture([task])
        await fixture.submit()
        let run = await fixture.notices.ended()
        #expect(run.state == .crashed)
        #expect(run.message?.contains("there is no user \(goneUser) any more") == true, "\(run.message ?? "")")
        #expect(run.message?.contains("make that user again") == true)
    }

    @Test("a plugin whose user is gone since its bundle was loaded is not started, and that is said with a fix")
    func plugin() async throws {
        let fixture = try HostingFixture()
        let description = AppDescription(
            app: HostingFixture.app, host: .process, permitted: [.exact(HostingFixture.identifier())],
            modes: [.processing])
        let bundle = PluginBundle(
            app: HostingFixture.app, program: .executable(path: "/bin/sh", arguments: ["-c", "exit 0"]), folder: "/",
            limits: ManifestLimits(), user: goneUser, hash: "")
        await fixture.with { commands, engine in
            commands.bundles.plugins.setBundle(bundle)
            engine.feed(.appLoaded(description))
        }
        let diagnostic = await fixture.notices.diagnostic(.processFailed)
        #expect(diagnostic.message.contains("there is no user \(goneUser) any more"), "\(diagnostic.message)")
        #expect(diagnostic.message.contains("make that user again"))
    }
}
