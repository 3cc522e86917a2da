import Glibc
import Testing

@testable import Platform

@Suite("Process table")
struct ProcessTableTests {
    @Test("a name with spaces and parentheses does not shift the fields")
    func parsing() {
        let line = "42 (a) b) (c) S 1 77 78 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987654 10 11\n"
        let status = ProcessStatus(Array(line.utf8))
        #expect(status?.identity == ProcessIdentity(pid: 42, startTime: 987_654))
        #expect(status?.group == 77)
        #expect(status?.hasEnded == false)
        #expect(status?.isEnding == false)
        let ending = "42 (a) R 1 77 78 0 -1 4194564 1 2 3 4 5 6 7 8 20 0 1 0 987654 10 11\n"
        #expect(ProcessStatus(Array(ending.utf8))?.isEnding == true)
    }

    @Test("what is no such line gives nothing", arguments: ["", "1", "1 (x", "1 (x) S", ") 1 (", "1 (x) S 1 2 3"])
    func malformed(_ line: String) {
        #expect(ProcessStatus(Array(line.utf8)) == nil)
    }

    @Test("we are a process ourselves")
    func ourselves() throws {
        let identity = try #require(ProcessIdentity(pid: getpid()))
        #expect(identity.startTime > 0)
        #expect(ProcessTable.openPidfd(identity) != nil)
        #expect(ProcessTable.members(ofGroup: getpgrp()).contains(identity))
    }

    @Test("another start time means another process")
    func reused() throws {
        var identity = try #require(ProcessIdentity(pid: getpid()))
        identity.startTime += 1
        #expect(ProcessTable.openPidfd(identity) == nil)
    }

    @Test("an ended process is none, reaped or not")
    func ended() throws {
        let child = try ChildProcess.spawn(SpawnOptions(executable: "/bin/sleep", arguments: ["1000"]))
        let identity = try #require(ProcessIdentity(pid: child.pid))
        child.signal(SIGKILL)
        #expect(becomesReadable(child.pidfd.raw))
        #expect(ProcessTable.openPidfd(identity) == nil)
        #expect(child.reap() == .signalled(SIGKILL))
        #expect(ProcessIdentity(pid: child.pid) != identity)
        #expect(ProcessTable.openPidfd(identity) == nil)
    }

    @Test("a process is found by a whole variable of its environment and signalled through its pidfd")
    func environment() throws {
        let value = "run-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        let input = try Pipe.make()
        let echo = try Pipe.make()
        var options = SpawnOptions(executable: "/bin/cat", environment: ["RUNNER_RUN": value, "Z": "1"])
        options.standardInput = input.reading.raw
        options.standardOutput = echo.writing.raw
        let child = try ChildProcess.spawn(options)
        // A program that has only just been started shows no environment yet.
        write("ready\n", to: input.writing)
        #expect(readLine(echo.reading) == "ready")
        let found = ProcessTable.all(withVariable: "RUNNER_RUN").filter { $0.value == value }
        #expect(found.map(\.identity.pid) == [child.pid])
        #expect(!ProcessTable.all(withVariable: "UNNER_RUN").contains { $0.value == value })
        let pidfd = try #require(found.first.flatMap { ProcessTable.openPidfd($0.identity) })
        #expect(ProcessTable.signal(pidfd, SIGTERM))
        #expect(child.waitForExit() == .signalled(SIGTERM))
        #expect(!ProcessTable.signal(pidfd, SIGTERM))
    }
}

@Suite("User database")
struct UserDatabaseTests {
    @Test("root has its number, name, home and groups")
    func root() throws {
        let root = try #require(UserDatabase.user(named: "root"))
        #expect(root.uid == 0)
        #expect(root.home == "/root")
        #expect(UserDatabase.user(uid: 0) == root)
        #expect(UserDatabase.uid(named: "root") == 0)
        #expect(UserDatabase.name(ofUser: 0) == "root")
        #expect(UserDatabase.gid(ofGroup: "root") == 0)
        #expect(UserDatabase.name(ofGroup: 0) == "root")
        #expect(UserDatabase.groups(of: root).contains(0))
        #expect(UserDatabase.credentials(of: root).uid == 0)
    }

    @Test("who does not exist is nobody")
    func missing() {
        #expect(UserDatabase.user(named: "no such user") == nil)
        #expect(UserDatabase.uid(named: "") == nil)
        #expect(UserDatabase.name(ofUser: 4_000_000_001) == nil)
        #expect(UserDatabase.gid(ofGroup: "no such group") == nil)
        #expect(UserDatabase.name(ofGroup: 4_000_000_001) == nil)
    }
}
