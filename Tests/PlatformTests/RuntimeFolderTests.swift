import Glibc
import Platform
import Testing

@Suite("Runtime folder")
struct RuntimeFolderTests {
    private let folder = TemporaryFolder()

    private var path: String { folder.file("runner") }

    private func reason(mode: UInt32, owner: UInt32? = nil) -> RuntimeFolderFailure.Reason? {
        do {
            try RuntimeFolder.prepare(path: path, mode: mode, owner: owner)
            return nil
        } catch {
            return error.reason
        }
    }

    private func status(_ path: String) -> stat {
        var status = stat()
        lstat(path, &status)
        return status
    }

    @Test("a missing folder is made with exactly its mode", arguments: [0o700, 0o755, 0o775, 0o1777] as [UInt32])
    func makes(_ mode: UInt32) {
        #expect(reason(mode: mode) == nil)
        #expect(UInt32(status(path).st_mode & 0o7777) == mode)
        #expect(reason(mode: mode) == nil)
    }

    @Test("missing parents are made only when that is wanted")
    func parents() throws {
        let deep = folder.file("a/b/c")
        #expect(throws: RuntimeFolderFailure.self) { try RuntimeFolder.prepare(path: deep, mode: 0o700) }
        try RuntimeFolder.prepare(path: deep, mode: 0o700, makingParents: true)
        #expect(status(folder.file("a")).st_mode & 0o7777 == 0o700)
        #expect(status(deep).st_mode & S_IFMT == S_IFDIR)
    }

    @Test("a symbolic link is refused, even one to a good folder")
    func link() {
        let other = folder.file("other")
        mkdir(other, 0o700)
        symlink(other, path)
        #expect(reason(mode: 0o700) == .symbolicLink)
    }

    @Test("a file is refused")
    func file() {
        folder.write("", to: "runner")
        #expect(reason(mode: 0o700) == .notAFolder)
    }

    @Test("a folder to which others may write is refused, and left as it is", arguments: [0o770, 0o702] as [UInt32])
    func open(_ mode: UInt32) {
        mkdir(path, 0o700)
        chmod(path, mode)
        #expect(reason(mode: 0o755) == .tooOpen(mode))
        #expect(UInt32(status(path).st_mode & 0o7777) == mode)
    }

    @Test("a folder may be writable to those whom the mode names, and closed further than it")
    func allowed() {
        mkdir(path, 0o700)
        #expect(reason(mode: 0o755) == nil)
        chmod(path, 0o770)
        #expect(reason(mode: 0o775) == nil)
    }

    @Test("another user's folder is refused, root's is fine", .enabled(if: geteuid() == 0))
    func owner() {
        mkdir(path, 0o700)
        #expect(reason(mode: 0o700, owner: 12_345) == nil)
        chown(path, 23_456, 0)
        #expect(reason(mode: 0o700, owner: 12_345) == .foreignOwner(23_456))
        #expect(reason(mode: 0o700, owner: 23_456) == nil)
    }

    @Test("a folder made for another user belongs to that user", .enabled(if: geteuid() == 0))
    func given() {
        #expect(reason(mode: 0o700, owner: 12_345) == nil)
        #expect(status(path).st_uid == 12_345)
        #expect(status(path).st_mode & 0o7777 == 0o700)
    }

    @Test("the sentence says what to do")
    func sentence() {
        let failure = RuntimeFolderFailure(.tooOpen(0o777), path: "/x")
        #expect(
            String(describing: failure)
                == "cannot use the folder /x: others may write to it (mode 0777); take that away")
    }
}
