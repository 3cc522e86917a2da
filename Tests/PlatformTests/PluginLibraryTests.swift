import Glibc
import Platform
import Testing

@Suite("Libraries of plugins, looked at without running them")
struct PluginLibraryTests {
    typealias Image = SharedLibraryImage
    typealias Symbol = SharedLibraryImage.Symbol

    private let folder = TemporaryFolder()

    private func write(_ bytes: [UInt8]) -> String {
        let path = folder.file("libMail.so")
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        defer { close(descriptor) }
        bytes.withUnsafeBytes { _ = Glibc.write(descriptor, $0.baseAddress, $0.count) }
        return path
    }

    private func judge(_ bytes: [UInt8]) -> PluginLibrary.Problem? {
        PluginLibrary.problem(of: write(bytes))
    }

    @Test(
        "a library that exports the entry point is fine, and the dynamic linker says so too",
        arguments: Image.HashTable.allCases)
    func good(hashTable: Image.HashTable) throws {
        let path = write(Image(hashTable: hashTable).bytes)
        #expect(PluginLibrary.problem(of: path) == nil)
        let library = try #require(dlopen(path, RTLD_NOW | RTLD_LOCAL), "\(String(cString: dlerror()))")
        #expect(dlsym(library, PluginLibrary.entryPoint) != nil)
        #expect(dlsym(library, "helper") != nil)
    }

    /// Symbols that are not the wanted function, and what is said of them.
    struct WithoutEntryPoint: Sendable {
        var symbols: [SharedLibraryImage.Symbol] = []
        var words: String
        var fix: String

        static let missing = "does not export the function runner_plugin_main"

        static let all: [WithoutEntryPoint] = [
            WithoutEntryPoint(words: missing, fix: "Export int runner_plugin_main(int): in Swift"),
            WithoutEntryPoint(
                symbols: [Symbol(name: "runner_plugin_mian")], words: "\(missing); the nearest is runner_plugin_mian",
                fix: "Rename runner_plugin_mian to runner_plugin_main."),
            // Of two names the nearer one is named, and one that nobody can write is not.
            WithoutEntryPoint(
                symbols: [
                    Symbol(name: "runner_plugin"), Symbol(name: "runner_plugin_m"),
                    Symbol(name: "runner\u{1B}plugin_main"),
                ], words: "\(missing); the nearest is runner_plugin_m", fix: "Rename"),
            WithoutEntryPoint(
                symbols: [Symbol(name: "_Z18runner_plugin_maini")],
                words: "exports runner_plugin_main as a C++ function only", fix: "Declare it extern \"C\"."),
            WithoutEntryPoint(
                symbols: [Symbol(name: "$s4Mail18runner_plugin_mainys5Int32VADF")],
                words: "exports runner_plugin_main as a Swift function only",
                fix: "Mark it @_cdecl(\"runner_plugin_main\")."),
            WithoutEntryPoint(
                symbols: [Symbol(name: "runner_plugin_main", isDefined: false)],
                words: "calls runner_plugin_main and does not define it", fix: "Link what defines it into the library."),
            WithoutEntryPoint(
                symbols: [Symbol(name: "runner_plugin_main", information: Symbol.global | Symbol.object)],
                words: "exports runner_plugin_main, but not as a function", fix: "Make it a C function, int (int)."),
            WithoutEntryPoint(
                symbols: [Symbol(name: "runner_plugin_main", information: Symbol.local | Symbol.function)],
                words: missing, fix: "Export"),
            WithoutEntryPoint(
                symbols: [Symbol(name: "runner_plugin_main", visibility: 2)], words: missing, fix: "Export"),
        ]
    }

    @Test(
        "a library that exports something else is refused with what is near to it", arguments: Image.HashTable.allCases,
        WithoutEntryPoint.all)
    func withoutEntryPoint(hashTable: Image.HashTable, expected: WithoutEntryPoint) throws {
        let image = Image(symbols: expected.symbols + [Symbol(name: "helper")], hashTable: hashTable)
        let problem = try #require(judge(image.bytes))
        #expect(problem.words == expected.words)
        #expect(problem.fix.hasPrefix(expected.fix))
    }

    @Test("what is no shared library for this machine is refused with what it is")
    func otherFiles() throws {
        let other = Image.otherMachine
        var bytes = Image(machine: other.number).bytes
        #expect(judge(bytes)?.words.hasPrefix("is built for \(other.name), and this machine is ") == true)
        #expect(judge(Image(machine: 4_711).bytes)?.words.hasPrefix("is built for machine 4711, and") == true)
        #expect(judge(Image(type: 2).bytes)?.words == "is an executable and no shared library")
        #expect(judge(Image(type: 1).bytes)?.words == "is an object file that is not linked yet")
        #expect(judge(Image(type: 4).bytes)?.words == "is no shared library")
        for (flag, words) in [
            (Image.positionIndependentExecutable, "is an executable and no shared library"),
            (Image.notOpenable, "is linked so that it cannot be loaded"),
        ] {
            #expect(judge(Image(entries: [(Image.dynamicFlags, flag)]).bytes)?.words == words)
        }
        #expect(judge(Image(hasDynamicSection: false).bytes)?.words == "has no dynamic section")
        #expect(judge([])?.words == "is empty")
        #expect(judge(Array("#!/bin/sh\n".utf8))?.words == "is no ELF file")
        for (offset, words) in [
            (4, "is not built for 64 bits, as programs on this machine are"),
            (5, "is built for a machine with another byte order"), (6, "is damaged: there is no such version of ELF"),
            (7, "is built for another system than Linux"),
        ] {
            bytes = Image().bytes
            bytes[offset] ^= 3
            #expect(judge(bytes)?.words == (offset == 7 ? nil : words), "byte \(offset)")
        }
        bytes[7] = 9
        #expect(judge(bytes)?.words == "is built for another system than Linux")
    }

    @Test("this very program, which is an executable, is refused, and so is a library that is no plugin")
    func realFiles() throws {
        #expect(PluginLibrary.problem(of: "/proc/self/exe")?.words == "is an executable and no shared library")
        var maps = try FileLines("/proc/self/maps")
        var library: String?
        while library == nil, let line = try maps.next() {
            library = String(decoding: line, as: UTF8.self).split(separator: " ").last.map(String.init)
                .flatMap { $0.hasSuffix("/libc.so.6") ? $0 : nil }
        }
        #expect(
            PluginLibrary.problem(of: try #require(library))?.words == "does not export the function runner_plugin_main"
        )
    }

    @Test("what cannot be opened or is no file is refused at once")
    func noFiles() throws {
        #expect(PluginLibrary.problem(of: folder.file("no.so"))?.words == "does not exist")
        #expect(PluginLibrary.problem(of: folder.path)?.words == "is a folder")
        #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
        #expect(PluginLibrary.problem(of: folder.file("pipe"))?.words == "is not a regular file")
        #expect(symlink("loop", folder.file("loop")) == 0)
        #expect(
            PluginLibrary.problem(of: folder.file("loop"))?.words == "cannot be read: \(SystemError.text(for: ELOOP))")
    }

    @Test("a library that ends at any byte is refused, and all of it is not", arguments: Image.HashTable.allCases)
    func truncations(hashTable: Image.HashTable) {
        let bytes = Image(hashTable: hashTable).bytes
        for count in 0..<bytes.count {
            let problem = judge(Array(bytes[..<count]))
            let expected = count == 0 ? "is empty" : "is cut off after \(count) bytes"
            #expect(problem?.words == expected, "\(count) bytes")
        }
        #expect(judge(bytes) == nil)
    }

    @Test("a library of very many symbols that all have one endless name is judged soon")
    func endlessNames() {
        let count = 200_000
        let name = Symbol(name: String(repeating: "a", count: 8 << 20))
        var bytes = Image(
            symbols: [name] + Array(repeating: Symbol(name: ""), count: count), hashTable: .older
        ).bytes
        for symbol in 1...count { bytes[Image.nameOffset(ofSymbol: symbol)] = 1 }
        for symbol in 1...count {
            for byte in 1..<4 { bytes[Image.nameOffset(ofSymbol: symbol) + byte] = 0 }
        }
        let path = write(bytes)
        // What this thread used, since others run beside it.
        let began = threadSeconds()
        #expect(PluginLibrary.problem(of: path)?.words == "does not export the function runner_plugin_main")
        #expect(threadSeconds() - began < 10)
    }

    /// The seconds of processor time that this thread has used.
    private func threadSeconds() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec
    }

    @Test("no size, count or place in a file is trusted", arguments: Image.HashTable.allCases)
    func hostileNumbers(hashTable: Image.HashTable) {
        let bytes = Image(hashTable: hashTable).bytes
        for offset in stride(from: 16, to: bytes.count - 7, by: 4) {
            for value in [0, 1, UInt64(bytes.count) - 1, 1 << 31, 1 << 32 - 1, 1 << 40, 1 << 63, .max] {
                for width in [4, 8] {
                    var changed = bytes
                    withUnsafeBytes(of: value.littleEndian) { number in
                        for index in 0..<width { changed[offset + index] = number[index] }
                    }
                    isJudged(changed)
                }
            }
        }
    }

    @Test("files that were changed anywhere are judged", arguments: [UInt64(1), 2, 3])
    func mutations(seed: UInt64) {
        var state = seed
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        for round in 0..<2_000 {
            var bytes = Image(hashTable: round % 2 == 0 ? .gnu : .older).bytes
            for _ in 0...random(6) { bytes[random(bytes.count)] = UInt8(random(256)) }
            isJudged(bytes)
        }
    }

    /// Whatever the judgement is, it comes, and has words.
    private func isJudged(_ bytes: [UInt8]) {
        guard let problem = judge(bytes) else { return }
        #expect(!problem.words.isEmpty && !problem.fix.isEmpty)
    }
}
