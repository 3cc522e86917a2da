import Glibc
import Platform
import Scheduling
import SystemPlatform
import TestSupport
import Testing

@testable import Hosting

@Suite("Starts for which something has run out")
struct ShortageTests {
    @Test("only what more room would mend is a shortage, and the limit of open files is told apart")
    func kinds() throws {
        let files = try #require(Shortage(SystemError(code: EMFILE, operation: "make a pipe")))
        let finding = files.finding(after: .seconds(125))
        #expect(finding.name == "resourcesExhausted")
        #expect(finding.message.contains("could not be started 2 min 5 s ago"))
        #expect(finding.message.contains("cannot make a pipe"))
        #expect(finding.fix.contains("LimitNOFILE="))
        let process = try #require(Shortage(SpawnFailure(step: .clone, code: ENOMEM, executable: "/bin/true")))
        #expect(!process.fix.contains("LimitNOFILE="))
        let count = try #require(Shortage(SpawnFailure(step: .clone, code: EAGAIN, executable: "/bin/true")))
        #expect(count.fix.contains("TasksMax="))
        // That is a limit of the app's own: it has a user of its own that may have so many processes.
        #expect(Shortage(SpawnFailure(step: .execute, code: EAGAIN, executable: "/bin/true")) == nil)
        #expect(Shortage(SpawnFailure(step: .execute, code: ENOENT, executable: "/bin/no")) == nil)
        #expect(Shortage(SystemError(code: EACCES, operation: "open")) == nil)
    }

    @Test("the shortage of one plugin is over with the next process that is started, even a command's")
    func over() async throws {
        let fixture = try HostingFixture([HostingFixture.shell("exit 0")])
        let shortage = try #require(Shortage(SystemError(code: EMFILE, operation: "make a pipe")))
        let found = await fixture.with { commands, _ in
            commands.bundles.plugins.onStart(shortage)
            return commands.bundles.finding
        }
        #expect(found?.name == "resourcesExhausted")
        await fixture.submit()
        _ = await fixture.notices.ended()
        #expect(await fixture.with { commands, _ in commands.bundles.finding } == nil)
    }
}
