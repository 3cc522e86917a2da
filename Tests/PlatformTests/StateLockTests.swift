import Glibc
import Platform
import Testing

@Suite("State lock")
struct StateLockTests {
    private let folder = TemporaryFolder()

    private func failure() -> StateLockFailure? {
        do {
            _ = try StateLock.acquire(folder: folder.path)
            return nil
        } catch {
            return error
        }
    }

    @Test("the second to come is told who has the folder")
    func held() throws {
        let lock = try StateLock.acquire(folder: folder.path)
        #expect(failure() == .held(by: getpid(), folder: folder.path))
        let sentence =
            "the state folder \(folder.path) is in use by process \(getpid()); stop it, or choose another folder"
        #expect(failure().map { String(describing: $0) } == sentence)
        lock.release()
        #expect(failure() == nil)
    }

    @Test("dropping the lock gives the folder free")
    func dropped() throws {
        var lock: StateLock? = try StateLock.acquire(folder: folder.path)
        #expect(lock != nil)
        lock = nil
        #expect(failure() == nil)
    }

    @Test("a child that outlives us does not keep the folder locked")
    func children() throws {
        let lock = try StateLock.acquire(folder: folder.path)
        let child = try ChildProcess.spawn(SpawnOptions(executable: "/bin/sleep", arguments: ["1000"]))
        lock.release()
        #expect(failure() == nil)
        child.signalGroup(SIGKILL)
        #expect(child.waitForExit() == .signalled(SIGKILL))
    }

    @Test("what an earlier holder left in the file does not matter")
    func leftover() throws {
        folder.write("a long text of an earlier process", to: "lock")
        let lock = try StateLock.acquire(folder: folder.path)
        #expect(failure() == .held(by: getpid(), folder: folder.path))
        lock.release()
    }

    @Test("a symbolic link in its place is refused")
    func link() {
        symlink(folder.file("elsewhere"), folder.file("lock"))
        guard case .system(let error) = failure() else {
            Issue.record("the link was followed")
            return
        }
        #expect(error.code == ELOOP)
    }

    @Test("a missing folder is a plain error")
    func missing() {
        let error = #expect(throws: StateLockFailure.self) { try StateLock.acquire(folder: folder.file("none")) }
        #expect(
            error.map { String(describing: $0) }
                == "cannot open \(folder.path)/none/lock: No such file or directory")
    }
}
