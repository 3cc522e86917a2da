import Glibc
import Platform
import Scheduling
import SystemPlatform
import Testing

@testable import Hosting

@Suite("Starts for which something has run out")
struct ShortageTests {
    @Test("only what more room would mend is a shortage, and the limit of open files is told apart")
    func kinds() throws {
        let files = try #require(Shortage(SystemError(code: EMFILE, operation: "make a pipe")))
        #expect(files.finding.name == "resourcesExhausted")
        #expect(files.finding.message.contains("cannot make a pipe"))
        #expect(files.finding.fix.contains("LimitNOFILE="))
        let process = try #require(Shortage(SpawnFailure(step: .clone, code: ENOMEM, executable: "/bin/true")))
        #expect(!process.finding.fix.contains("LimitNOFILE="))
        let count = try #require(Shortage(SpawnFailure(step: .clone, code: EAGAIN, executable: "/bin/true")))
        #expect(count.finding.fix.contains("TasksMax="))
        // That is a limit of the app's own: it has a user of its own that may have so many processes.
        #expect(Shortage(SpawnFailure(step: .execute, code: EAGAIN, executable: "/bin/true")) == nil)
        #expect(Shortage(SpawnFailure(step: .execute, code: ENOENT, executable: "/bin/no")) == nil)
        #expect(Shortage(SystemError(code: EACCES, operation: "open")) == nil)
    }
}
