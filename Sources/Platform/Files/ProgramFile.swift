/// Looks at the beginning of a program's file, for what would keep it from being started.
package enum ProgramFile {
    /// Why a file that may be run cannot be.
    package enum Problem: Hashable, Sendable {
        case isEmpty
        /// The first line of a script names an interpreter that is not there.
        case noInterpreter(String)
        /// The first line of a script ends as on Windows, and the system takes the CR for a part of it.
        case carriageReturn
    }

    /// The system reads no more of a script's first line.
    private static let firstLine = 256

    /// What keeps the file from being started; `nil` when that cannot be seen at its beginning.
    package static func problem(of path: String) -> Problem? {
        guard FileStatus(of: path)?.kind == .regular, let real = PlainFile.resolvedPath(path),
            let start = PlainFile.read(real, from: 0, count: firstLine)
        else { return nil }
        if start.isEmpty { return .isEmpty }
        guard start.starts(with: Array("#!".utf8)) else { return nil }
        let line = start.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }
        if line.last == UInt8(ascii: "\r") { return .carriageReturn }
        let word = line.drop(while: isBlank).prefix { !isBlank($0) }
        let interpreter = String(decoding: word, as: UTF8.self)
        guard interpreter.hasPrefix("/"), word.endIndex < start.endIndex || start.count < firstLine,
            FileStatus(of: interpreter) == nil
        else { return nil }
        return .noInterpreter(interpreter)
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }
}
