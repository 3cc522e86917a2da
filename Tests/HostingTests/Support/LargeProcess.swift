import Glibc

/// A process that takes a while to end after it was killed: the kernel first gives its memory back.
enum LargeProcess {
    static let program = #"x = b"a" * (500 << 20); open("up", "w").write("up"); import signal; signal.pause()"#

    /// Shell that starts one beside itself, in its working directory, and goes on when its memory is filled.
    static let script = "mkfifo up; python3 -c '\(program)' & read line <up; "

    /// False from the moment that the kernel begins to take its memory away.
    static func showsEnvironment(_ pid: Int32) -> Bool {
        let file = open("/proc/\(pid)/environ", O_RDONLY)
        defer { close(file) }
        var byte: UInt8 = 0
        return file >= 0 && read(file, &byte, 1) == 1
    }
}
