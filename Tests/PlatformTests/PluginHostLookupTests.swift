import Glibc
import Platform
import Testing

@Suite("Where the plugin host is")
struct PluginHostLookupTests {
    private let folder = TemporaryFolder()

    private func writeHost(_ name: String, mode: mode_t = 0o755) -> String {
        folder.write("", to: name)
        chmod(folder.file(name), mode)
        return folder.file(name)
    }

    @Test("beside the program it is found first, and then where it is installed")
    func order() {
        mkdir(folder.file("bin"), 0o755)
        #expect(PluginHostLookup.find(near: folder.file("bin")) == nil)
        #expect(PluginHostLookup.find(near: nil) == nil)
        _ = writeHost("libexec/runner/runner-plugin-host")
        let installed = folder.file("libexec/runner/runner-plugin-host")
        #expect(PluginHostLookup.find(near: folder.file("bin")) == installed)
        let beside = writeHost("bin/runner-plugin-host")
        #expect(PluginHostLookup.find(near: folder.file("bin")) == beside)
    }

    @Test("what cannot be executed, and a folder of that name, are passed over")
    func noProgram() {
        let installed = writeHost("libexec/runner/runner-plugin-host")
        let beside = writeHost("bin/runner-plugin-host", mode: 0o644)
        #expect(PluginHostLookup.find(near: folder.file("bin")) == installed)
        unlink(beside)
        mkdir(beside, 0o755)
        #expect(PluginHostLookup.find(near: folder.file("bin")) == installed)
        chmod(installed, 0o600)
        #expect(PluginHostLookup.find(near: folder.file("bin")) == nil)
    }

    @Test("a program knows its own folder")
    func own() throws {
        let folder = try #require(ProcessEnvironment.programFolder)
        let this = try #require(PlainFile.resolvedPath("/proc/self/exe"))
        #expect(this.hasPrefix(folder + "/"))
        #expect(!this.dropFirst(folder.count + 1).contains("/"))
    }
}
