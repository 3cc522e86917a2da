import Glibc
import Testing

@testable import Platform

@Suite("The beginning of a program's file")
struct ProgramFileTests {
    private func problem(_ text: String) -> ProgramFile.Problem? {
        let folder = TemporaryFolder()
        folder.write(text, to: "program")
        return ProgramFile.problem(of: folder.file("program"))
    }

    @Test(
        "nothing is wrong with scripts whose interpreter is there, and with what is no script",
        arguments: [
            "#!/bin/sh\n", "#!/bin/sh", "#! /bin/sh -e\n", "#!\t/usr/bin/env python3\nx\r\n", "\u{7F}ELF",
            "#", "x",
        ])
    func good(text: String) {
        #expect(problem(text) == nil)
    }

    @Test("an empty file is none")
    func empty() {
        #expect(problem("") == .isEmpty)
    }

    @Test(
        "an interpreter that is not there is named",
        arguments: ["#!/usr/bin/pyhton3", "#!/usr/bin/pyhton3\n", "#! /usr/bin/pyhton3 -u\n"])
    func noInterpreter(text: String) {
        #expect(problem(text) == .noInterpreter("/usr/bin/pyhton3"))
    }

    @Test(
        "a first line that ends as on Windows is told",
        arguments: ["#!/bin/sh\r\n", "#!/usr/bin/env python3\r\nx\r\n"])
    func carriageReturn(text: String) {
        #expect(problem(text) == .carriageReturn)
    }

    @Test(
        "an interpreter whose name is cut, a file that is not there and a folder are left to the system"
    )
    func others() {
        #expect(problem("#!/" + String(repeating: "x", count: 300)) == nil)
        #expect(ProgramFile.problem(of: "/nowhere/at/all") == nil)
        #expect(ProgramFile.problem(of: "/") == nil)
    }

    @Test("a link is followed")
    func link() {
        let folder = TemporaryFolder()
        folder.write("", to: "program")
        #expect(symlink("program", folder.file("link")) == 0)
        #expect(ProgramFile.problem(of: folder.file("link")) == .isEmpty)
    }
}
