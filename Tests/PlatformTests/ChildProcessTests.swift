import Glibc
import Platform
import Testing

@Suite("Child processes")
struct ChildProcessTests {
    private func failure(_ options: SpawnOptions) -> SpawnFailure? {
        do {
            let child = try ChildProcess.spawn(options)
            child.signalGroup(SIGKILL)
            _ = child.waitForExit()
            return nil
        } catch {
            return error
        }
    }

    @Test("the exit status is reported", arguments: [0, 1, 7, 255] as [Int32])
    func exitStatus(_ code: Int32) throws {
        #expect(try output(of: "exit \(code)").status == .exited(code))
    }

    @Test("an end by a signal is reported as one", arguments: [SIGTERM, SIGKILL, SIGSEGV])
    func signalStatus(_ signal: Int32) throws {
        let child = try ChildProcess.spawn(SpawnOptions(executable: "/bin/sleep", arguments: ["1000"]))
        #expect(child.reap() == nil)
        #expect(child.signal(signal))
        #expect(child.waitForExit() == .signalled(signal))
    }

    @Test("a child that was reaped is signalled no more, and keeps its status")
    func afterReaping() throws {
        let child = try ChildProcess.spawn(SpawnOptions(executable: "/bin/true"))
        #expect(child.waitForExit() == .exited(0))
        #expect(!child.signal(SIGKILL))
        #expect(!child.signalGroup(SIGKILL))
        #expect(child.reap() == .exited(0))
    }

    @Test(
        "a number that was reaped and belongs to somebody else by now is not signalled",
        .enabled(if: access(Self.numberFile, W_OK) == 0, "only who decides about numbers can give one again"))
    func numberGivenAgain() throws {
        let child = try ChildProcess.spawn(SpawnOptions(executable: "/bin/true"))
        #expect(child.waitForExit() == .exited(0))
        var other: ChildProcess?
        // Others start processes meanwhile, so it may take some attempts.
        for _ in 0..<500 where other == nil {
            let file = OwnedDescriptor(open(Self.numberFile, O_WRONLY | O_CLOEXEC))
            write("\(child.pid - 1)", to: file)
            let next = try ChildProcess.spawn(SpawnOptions(executable: "/bin/sleep", arguments: ["1000"]))
            if next.pid == child.pid {
                other = next
            } else {
                next.signal(SIGKILL)
                _ = next.waitForExit()
            }
        }
        let bystander = try #require(other)
        #expect(!child.signal(SIGKILL))
        #expect(!child.signalGroup(SIGKILL))
        #expect(child.leftInGroup().isEmpty, "its number leads another group now")
        // Whatever was sent before would have ended it first.
        #expect(bystander.signal(SIGTERM))
        #expect(bystander.waitForExit() == .signalled(SIGTERM))
    }

    /// Tells the kernel which number to give after.
    private static let numberFile = "/proc/sys/kernel/ns_last_pid"

    @Test("in a program that ignores its children's ends, how a child ended is not known")
    func ignoredChildren() async {
        await #expect(processExitsWith: .success) {
            signal(SIGCHLD, SIG_IGN)
            let child = try ChildProcess.spawn(SpawnOptions(executable: "/bin/true"))
            try #require(child.waitForExit() == .unknown)
            try #require(!child.signalGroup(SIGKILL))
            #expect(throws: SpawnFailure.self) { try ChildProcess.spawn(SpawnOptions(executable: "/nowhere/program")) }
        }
    }

    @Test("a program that is not there is a failed start with its cause")
    func missing() {
        let error = failure(SpawnOptions(executable: "/nowhere/program"))
        #expect(error == SpawnFailure(step: .execute, code: ENOENT, executable: "/nowhere/program"))
        #expect(
            error.map { String(describing: $0) }
                == "cannot start /nowhere/program: No such file or directory "
                + "(a script's interpreter must be there, too)")
    }

    @Test("a file that is no program is a failed start")
    func notAProgram() {
        let folder = TemporaryFolder()
        folder.write("text", to: "text")
        #expect(failure(SpawnOptions(executable: folder.file("text")))?.code == EACCES)
        chmod(folder.file("text"), 0o755)
        let error = failure(SpawnOptions(executable: folder.file("text")))
        #expect(error?.code == ENOEXEC)
        #expect(error?.description.hasSuffix("Exec format error (a script begins with #! and its interpreter)") == true)
        #expect(failure(SpawnOptions(executable: folder.path))?.code == EACCES)
    }

    @Test("failed starts leave no children behind")
    func noLeaks() throws {
        let children = Locked("not read")
        // On a thread that has no children of other tests.
        let thread = try NamedThread(name: "failing") {
            for _ in 0..<20 { _ = failure(SpawnOptions(executable: "/nowhere/program")) }
            let text = readAll(OwnedDescriptor(open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC)))
            children.withLock { $0 = text }
        }
        thread.join()
        #expect(children.withLock { $0 } == "")
    }

    @Test("a name is looked up in the child's PATH")
    func lookup() throws {
        let folder = TemporaryFolder()
        folder.write("#!/bin/sh\necho found\n", to: "bin/tool")
        chmod(folder.file("bin/tool"), 0o755)
        let pipe = try Pipe.make()
        var options = SpawnOptions(
            executable: "tool", environment: ["PATH": "relative::/nowhere:\(folder.file("bin")):/bin"])
        options.standardOutput = pipe.writing.raw
        let child = try ChildProcess.spawn(options)
        pipe.writing.close()
        #expect(readAll(pipe.reading) == "found\n")
        #expect(child.waitForExit() == .exited(0))

        options.environment["PATH"] = "/nowhere"
        #expect(failure(options)?.step == .lookup)
        options.executable = ""
        #expect(failure(options)?.step == .lookup)
    }

    @Test("arguments and environment arrive as they are, and nothing else")
    func argumentsAndEnvironment() throws {
        let pipe = try Pipe.make()
        var options = SpawnOptions(executable: "/usr/bin/env", environment: ["B": "two words", "A": "ä=b", "C": ""])
        options.standardOutput = pipe.writing.raw
        let child = try ChildProcess.spawn(options)
        pipe.writing.close()
        #expect(readAll(pipe.reading) == "A=ä=b\nB=two words\nC=\n")
        #expect(child.waitForExit() == .exited(0))
        let said = try output(of: "printf '%s|' \"$@\"") { $0.arguments += ["name", "a b", "", "$x"] }
        #expect(said.text == "a b||$x|")
    }

    @Test("text that cannot be passed on is refused before anything starts")
    func options() {
        var options = SpawnOptions(executable: "/bin/true", arguments: ["a\0b"])
        #expect(failure(options)?.step == .options)
        options.arguments = []
        for environment in [["A=B": "c"], ["": "c"], ["A": "b\0c"], ["A\0": "b"]] {
            options.environment = environment
            #expect(failure(options)?.step == .options)
        }
    }

    @Test("the working folder is the one that was asked for")
    func workingDirectory() throws {
        #expect(try output(of: "pwd") { $0.workingDirectory = "/usr" }.text == "/usr\n")
        var options = SpawnOptions(executable: "/bin/true")
        options.workingDirectory = "/nowhere"
        let error = failure(options)
        #expect(error?.step == .workingDirectory)
        #expect(
            error.map { String(describing: $0) }
                == "cannot start /bin/true: its working folder cannot be entered: No such file or directory")
    }

    @Test("a child has no descriptors but the ones it was given", arguments: [false, true])
    func descriptors(withChannel: Bool) throws {
        // One that a careless library left open for children.
        let careless = try Pipe.make()
        let leaked = dup(careless.reading.raw)
        defer { close(leaked) }
        let input = try Pipe.make()
        let echo = try Pipe.make()
        let channel = try UnixSocket.pair()
        var options = SpawnOptions(executable: "/bin/cat")
        options.standardInput = input.reading.raw
        options.standardOutput = echo.writing.raw
        options.channel = withChannel ? channel.1.raw : nil
        let child = try ChildProcess.spawn(options)
        // Once it echoes, it has opened and closed whatever its loader needs.
        write("ready\n", to: input.writing)
        #expect(readLine(echo.reading) == "ready")
        let expected = ["0", "1", "2"] + (withChannel ? ["3"] : [])
        #expect(SmallNames.inFolder("/proc/\(child.pid)/fd") == expected)
        input.writing.close()
        #expect(child.waitForExit() == .exited(0))
    }

    @Test("descriptors arrive where they belong even when their numbers overlap")
    func crossedDescriptors() throws {
        func target(_ descriptor: Int32) -> String {
            var buffer = [CChar](repeating: 0, count: 4096)
            let count = readlink("/proc/self/fd/\(descriptor)", &buffer, buffer.count - 1)
            return String(decoding: buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        let script = "for n in 0 2 3; do readlink /proc/self/fd/$n; done"
        let said = try output(of: script) { options in
            options.standardInput = 2
            options.standardError = 0
            options.channel = 1
        }
        #expect(said.text == [2, 0, 1].map { target($0) + "\n" }.joined())
    }

    @Test("what was not given is the null device")
    func nullDevice() throws {
        let said = try output(of: "readlink /proc/self/fd/0 /proc/self/fd/2; cat; echo over")
        #expect(said.text == "/dev/null\n/dev/null\nover\n")
    }

    @Test("signals are neither ignored nor blocked in the child, whatever the parent does")
    func signals() throws {
        let earlier = signal(SIGUSR2, SIG_IGN)
        defer { signal(SIGUSR2, earlier) }
        let said = Locked("")
        let thread = try NamedThread(name: "blocked") {
            let text = (try? output(of: "grep -E '^Sig(Blk|Ign)' /proc/self/status").text) ?? ""
            said.withLock { $0 = text }
        }
        thread.join()
        let lines = said.withLock { $0.split(separator: "\n").map(String.init) }
        #expect(lines.count == 2)
        for line in lines { #expect(line.hasSuffix("\t0000000000000000")) }
    }

    @Test("the spawning thread has its signal mask back")
    func maskRestored() throws {
        var before = sigset_t()
        var after = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &before)
        _ = try output(of: "exit 0")
        _ = failure(SpawnOptions(executable: "/nowhere/program"))
        pthread_sigmask(SIG_BLOCK, nil, &after)
        for number in 1...31 as ClosedRange<Int32> {
            #expect(sigismember(&before, number) == sigismember(&after, number))
        }
    }

    @Test("a child leads its process group, and its session when it gets one", arguments: [true, false])
    func group(newSession: Bool) throws {
        // Process, group and session are the fields around the parent's number.
        let script = "read -r line < /proc/$$/stat; rest=${line#*) }; set -- $rest; echo $$ $3 $4"
        let said = try output(of: script) { $0.newSession = newSession }
        let numbers = said.text.split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
        try #require(numbers.count == 3)
        #expect(numbers[1] == numbers[0])
        #expect(numbers[2] == (newSession ? numbers[0] : getsid(0)))
    }

    @Test("a group is signalled as a whole, as long as its leader was not reaped")
    func signalGroup() throws {
        let pipe = try Pipe.make()
        var options = SpawnOptions(
            executable: "/bin/sh", arguments: ["-c", "sleep 1000 & sleep 1000 & echo ready; wait"],
            environment: ["PATH": "/usr/bin:/bin"])
        options.standardOutput = pipe.writing.raw
        let child = try ChildProcess.spawn(options)
        pipe.writing.close()
        #expect(readLine(pipe.reading) == "ready")
        let members = ProcessTable.members(ofGroup: child.pid)
        #expect(members.count == 3)
        #expect(child.leftInGroup().isEmpty, "its leader lives, so it is no group that was left")
        let pidfds = members.compactMap { ProcessTable.openPidfd($0) }
        #expect(pidfds.count == 3)

        // An ended leader that waits to be reaped still keeps the number for its group.
        child.signal(SIGKILL)
        #expect(becomesReadable(child.pidfd.raw))
        #expect(ProcessTable.members(ofGroup: child.pid).count == 2)
        #expect(child.reap() == .signalled(SIGKILL))
        #expect(child.leftInGroup().count == 2)
        #expect(kill(-child.pid, SIGKILL) == 0)
        for pidfd in pidfds { #expect(becomesReadable(pidfd.raw)) }
        #expect(child.leftInGroup().isEmpty)
        #expect(!child.signalGroup(SIGKILL))
        #expect(ProcessTable.members(ofGroup: child.pid).isEmpty)
    }

    @Test("the death signal comes when the spawning thread ends, also to a child of another user")
    func deathSignal() throws {
        let worker = try WorkerThread(name: "spawner")
        let children = Locked([ChildProcess]())
        let isRoot = geteuid() == 0
        worker.perform {
            var options = SpawnOptions(executable: "/bin/sleep", arguments: ["1000"])
            options.parentDeathSignal = SIGTERM
            if let child = try? ChildProcess.spawn(options) { children.withLock { $0.append(child) } }
            guard isRoot else { return }
            options.user = UserCredentials(uid: 65_534, gid: 65_534, groups: [])
            if let child = try? ChildProcess.spawn(options) { children.withLock { $0.append(child) } }
        }
        worker.stopAndJoin()
        let started = children.withLock { $0 }
        #expect(started.count == (isRoot ? 2 : 1))
        for child in started { #expect(child.waitForExit() == .signalled(SIGTERM)) }
    }

    @Test("resource limits hold in the child and not in us")
    func limits() throws {
        var before = rlimit()
        getrlimit(__rlimit_resource_t(7), &before)
        let said = try output(of: "ulimit -Sn; ulimit -Hn; ulimit -t; ulimit -c") { options in
            options.limits = [
                ResourceLimit(.openFiles, soft: 20, hard: 30), ResourceLimit(.cpuSeconds, 5),
                ResourceLimit(.coreBytes, 0),
            ]
        }
        #expect(said.text == "20\n30\n5\n0\n")
        var after = rlimit()
        getrlimit(__rlimit_resource_t(7), &after)
        #expect(before.rlim_cur == after.rlim_cur)
    }

    @Test("every kind of limit is the kernel's limit of that name")
    func limitKinds() throws {
        let titles: [(ResourceLimit.Kind, String)] = [
            (.cpuSeconds, "Max cpu time"), (.dataBytes, "Max data size"),
            (.addressSpaceBytes, "Max address space"), (.fileBytes, "Max file size"),
            (.openFiles, "Max open files"), (.processes, "Max processes"), (.coreBytes, "Max core file size"),
        ]
        #expect(Set(titles.map(\.0)) == Set(ResourceLimit.Kind.allCases))
        for (kind, title) in titles {
            // High enough for `cat` to run, and no round number.
            let value: UInt64 = kind == .openFiles || kind == .processes ? 345 : 7_000_001_024
            let said = try output(of: "exec cat /proc/self/limits") { $0.limits = [ResourceLimit(kind, value)] }
            let line = said.text.split(separator: "\n").first { $0.hasPrefix(title) }
            let numbers = line?.split(separator: " ").filter { Int($0) != nil }
            #expect(numbers?.prefix(2) == ["\(value)", "\(value)"], "\(title)")
        }
    }

    @Test("a limit that cannot be set is a failed start", .enabled(if: geteuid() == 0))
    func impossibleLimit() {
        var options = SpawnOptions(executable: "/bin/true")
        options.limits = [ResourceLimit(.openFiles, soft: 20, hard: 10)]
        #expect(failure(options)?.step == .limits)
    }

    @Test("a child runs as the user and with the groups that were asked for", .enabled(if: geteuid() == 0))
    func user() throws {
        let said = try output(of: "id -u; id -g; id -G; grep -E '^(Uid|CapEff)' /proc/self/status") { options in
            options.user = UserCredentials(uid: 12_345, gid: 23_456, groups: [34_567])
        }
        let lines = said.text.split(separator: "\n").map(String.init)
        #expect(lines.prefix(3) == ["12345", "23456", "23456 34567"])
        #expect(lines.contains("Uid:\t12345\t12345\t12345\t12345"))
        #expect(lines.contains("CapEff:\t0000000000000000"))
        #expect(geteuid() == 0)
    }

    @Test("only root can choose a user", .enabled(if: geteuid() != 0))
    func userWithoutRoot() {
        var options = SpawnOptions(executable: "/bin/true")
        options.user = UserCredentials(uid: 0, gid: 0, groups: [])
        #expect(failure(options)?.step == .groups)
    }

    @Test("many threads may spawn at once and each gets its own child")
    func concurrently() throws {
        let wrong = Locked(0)
        let threads = try (0..<4).map { number in
            try NamedThread(name: "spawner \(number)") {
                for round in 0..<20 {
                    let code = Int32(number * 20 + round)
                    let isRight = (try? output(of: "echo \(code); exit \(code)")).map { said in
                        said.text == "\(code)\n" && said.status == .exited(code)
                    }
                    if isRight != true { wrong.withLock { $0 += 1 } }
                }
            }
        }
        for thread in threads { thread.join() }
        #expect(wrong.withLock { $0 } == 0)
    }
}
