import CLinux
import Glibc

/// What a program finds around it when it starts.
package enum ProcessEnvironment {
    /// A variable of the environment.
    package static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// Takes a variable out of the environment that children get. To be called before there are threads.
    package static func removeVariable(_ name: String) {
        unsetenv(name)
    }

    /// The folder that relative paths begin at.
    package static var workingFolder: String? {
        guard let path = getcwd(nil, 0) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }

    /// The folder of this program's file, without links.
    package static var programFolder: String? {
        let path = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(PATH_MAX)) { buffer -> String? in
            guard let start = buffer.baseAddress else { return nil }
            let count = start.withMemoryRebound(to: CChar.self, capacity: buffer.count) {
                readlink("/proc/self/exe", $0, buffer.count)
            }
            guard count > 0, count < buffer.count else { return nil }
            return String(decoding: buffer[..<count], as: UTF8.self)
        }
        guard let path, let slash = path.lastIndex(of: "/") else { return nil }
        return String(path[..<slash])
    }

    package static var effectiveUser: UInt32 { geteuid() }

    /// Whether a person looks at the descriptor.
    package static func isTerminal(_ descriptor: Int32) -> Bool {
        isatty(descriptor) == 1
    }

    /// How large a terminal is; `nil` for what is none, or does not say.
    package static func terminalSize(_ descriptor: Int32) -> (columns: Int, lines: Int)? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Writes a line on standard output.
    package static func print(_ text: String) {
        write(text, to: STDOUT_FILENO)
    }

    /// Writes a line on standard error.
    package static func complain(_ text: String) {
        write(text, to: STDERR_FILENO)
    }

    /// What the program prints goes out with each line, also when nobody looks at a terminal.
    package static func writeOutputByLines() {
        runner_buffer_output_by_lines()
    }

    /// Has a function called when the process ends by `exit` or by returning from `main`.
    package static func atExit(_ body: @convention(c) () -> Void) {
        Glibc.atexit(body)
    }

    private static func write(_ text: String, to descriptor: Int32) {
        let line = text.hasSuffix("\n") ? text : text + "\n"
        Array(line.utf8).withUnsafeBytes { _ = NonblockingIO.write(descriptor, $0) }
    }

    /// Ends the process at once, as a programmer's error does.
    package static func abort() -> Never {
        Glibc.abort()
    }

    /// Ends the process. Destructors and buffers of C are run and written as after `main`.
    package static func exit(_ status: Int32) -> Never {
        Glibc.exit(status)
    }
}
