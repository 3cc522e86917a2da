import Glibc
import Testing

@testable import Platform
@testable import SystemPlatform

@Suite("Service manager")
struct ServiceManagerTests {
    @Test("the service manager hears each state, and a text stays one line")
    func notifications() async {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryFolder()
            let path = folder.file("notify")
            let socket = OwnedDescriptor(Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0))
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let bound = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(socket.raw, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            try #require(bound == 0)
            setenv("NOTIFY_SOCKET", path, 1)

            ServiceManager.ready(status: "serving")
            ServiceManager.status("two\nREADY=0")
            ServiceManager.reloading()
            ServiceManager.stopping()
            func next() -> String {
                var buffer = [UInt8](repeating: 0, count: 1024)
                let count = recv(socket.raw, &buffer, buffer.count, 0)
                return String(decoding: buffer.prefix(count), as: UTF8.self)
            }
            try #require(next() == "READY=1\nSTATUS=serving")
            try #require(next() == "STATUS=two READY=0")
            try #require(next().hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
            try #require(next() == "STOPPING=1")
        }
    }

    // The sanitizer's build of the testing library keeps descriptor 3 for itself.
    @Test(
        "sockets that were passed are taken over once, with their names",
        .disabled(if: getenv("RUNNER_SANITIZER") != nil))
    func inherited() async {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryFolder()
            let made = try UnixSocket.listen(path: folder.file("control.sock"), mode: 0o600)
            try #require(dup2(made.descriptor.raw, 3) == 3)
            setenv("LISTEN_PID", "\(getpid())", 1)
            setenv("LISTEN_FDS", "1", 1)
            setenv("LISTEN_FDNAMES", "control", 1)
            let inherited = try ServiceManager.listenDescriptors()
            try #require(inherited.map(\.name) == ["control"])
            let socket = try ListeningSocket(adopting: inherited[0].descriptor)
            let client = try UnixSocket.connect(path: folder.file("control.sock"))
            guard case .connection = socket.accept() else { exit(1) }
            try #require(client.raw >= 0)
            try #require(try ServiceManager.listenDescriptors().isEmpty)
            // The testing library may have had descriptor 3 for itself: it must not clean up.
            _exit(0)
        }
    }

    @Test("without a service manager there is nothing to take over")
    func alone() throws {
        #expect(try ServiceManager.listenDescriptors().isEmpty)
        ServiceManager.ready()
    }
}

@Suite("System log")
struct SystemLogTests {
    @Test("a line has time, level, message and fields in a fixed order")
    func line() {
        let line = SystemLog.line(
            at: 1_772_359_200_007, .warning, "the store is slow", ["path": "/x", "milliseconds": "12"])
        #expect(line == "2026-03-01T10:00:00.007Z warning the store is slow milliseconds=12 path=/x\n")
    }

    @Test("what a peer wrote stays on its line and in its field")
    func hostile() {
        let line = SystemLog.line(at: 0, .error, "a\nb\u{1B}[2J\t\u{85}", ["k": "x y=\"z\"", "e": "", "n": "1\r\n2"])
        #expect(
            line == "1970-01-01T00:00:00.000Z error a\\nb\\u{1b}[2J\\t\\u{85}"
                + " e=\"\" k=\"x y=\\\"z\\\"\" n=1\\r\\n2\n")
    }

    @Test("lines below the threshold are dropped, and the threshold can change")
    func threshold() throws {
        let pipe = try Pipe.make()
        let log = SystemLog(threshold: .notice, linesTo: pipe.writing.raw)
        log.log(.info, "dropped")
        log.log(.error, "kept")
        log.setThreshold(.debug)
        log.log(.debug, "kept too")
        pipe.writing.close()
        let messages = readAll(pipe.reading).split(separator: "\n").map { $0.dropFirst(25) }
        #expect(messages == ["error kept", "debug kept too"])
    }

    @Test("levels are ordered from the most important")
    func levels() {
        #expect(LogLevel.allCases.sorted().map(\.name) == ["error", "warning", "notice", "info", "debug"])
    }

    @Test("the journal gets priority, message and legal names")
    func journal() {
        let long = String(repeating: "x", count: 100)
        let entries = SystemLog.journalEntries(.error, "two\nlines", ["task-id": "a=b", long: "1"])
        #expect(entries.prefix(3) == ["PRIORITY=3", "MESSAGE=two\nlines", "RUNNER_TASK_ID=a=b"])
        #expect(entries.last == "RUNNER_" + String(repeating: "X", count: 57) + "=1")
    }

    @Test("a journal that is not there loses lines and nothing else")
    func noJournal() {
        SystemLog(destination: .journal).log(.debug, "below the threshold, so it goes nowhere")
        #expect(!SystemLog(destination: .journal).isEnabled(.debug))
    }
}
