import Glibc
import Testing

@testable import Platform

/// Long enough for a busy machine; reached only when something is broken.
let patienceMilliseconds: Int32 = 20_000

/// Waits until a descriptor can be read (or has ended); false after the patience.
func becomesReadable(_ descriptor: Int32, within milliseconds: Int32 = patienceMilliseconds) -> Bool {
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return Glibc.poll(&poll, 1, milliseconds) == 1
}

/// Waits until nobody has the other end of a socket any more.
func hangsUp(_ descriptor: Int32) -> Bool {
    var poll = pollfd(fd: descriptor, events: 0, revents: 0)
    return Glibc.poll(&poll, 1, patienceMilliseconds) == 1
}

extension ChildProcess {
    /// Waits for the child's end.
    func waitForExit() -> Platform.ExitStatus? {
        guard becomesReadable(pidfd.raw) else {
            Issue.record("process \(pid) did not end")
            signalGroup(SIGKILL)
            _ = becomesReadable(pidfd.raw)
            return reap()
        }
        return reap()
    }
}

/// Everything up to the end of the stream.
func readAll(_ descriptor: OwnedDescriptor) -> String {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while becomesReadable(descriptor.raw) {
        guard case .data(let count) = chunk.withUnsafeMutableBytes({ NonblockingIO.read(descriptor.raw, into: $0) })
        else { break }
        bytes += chunk[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
}

/// One line, without its end.
func readLine(_ descriptor: OwnedDescriptor) -> String {
    var bytes: [UInt8] = []
    var byte: [UInt8] = [0]
    while becomesReadable(descriptor.raw) {
        guard case .data = byte.withUnsafeMutableBytes({ NonblockingIO.read(descriptor.raw, into: $0) }),
            byte[0] != 0x0A
        else { break }
        bytes += byte
    }
    return String(decoding: bytes, as: UTF8.self)
}

@discardableResult
func write(_ text: String, to descriptor: OwnedDescriptor) -> NonblockingIO.Outcome {
    Array(text.utf8).withUnsafeBytes { NonblockingIO.write(descriptor.raw, $0) }
}

/// Runs a shell script to its end and returns what it wrote.
func output(
    of script: String, _ change: (inout SpawnOptions) -> Void = { _ in }
) throws -> (text: String, status: Platform.ExitStatus?) {
    let pipe = try Pipe.make()
    var options = SpawnOptions(
        executable: "/bin/sh", arguments: ["-c", script], environment: ["PATH": "/usr/bin:/bin"])
    options.standardOutput = pipe.writing.raw
    change(&options)
    let child = try ChildProcess.spawn(options)
    pipe.writing.close()
    let text = readAll(pipe.reading)
    return (text, child.waitForExit())
}

/// Whether the process has a capability, by its number in `capabilities(7)`.
func hasCapability(_ number: UInt64) -> Bool {
    guard let status = SmallFile.text("/proc/self/status", limit: 1 << 16),
        let line = status.split(separator: "\n").first(where: { $0.hasPrefix("CapEff:") }),
        let word = line.split(separator: "\t").last, let mask = UInt64(word, radix: 16)
    else { return false }
    return mask & (1 << number) != 0
}
