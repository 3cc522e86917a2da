import Platform

/// The file of the kept lines of one run, or of an app outside of its runs.
struct OutputFile {
    /// What is read at once.
    private static let chunk = 1 << 16
    /// No line is longer, with its head and its mark that it was cut.
    private static let longest = OutputStore.lineBytes + 128
    /// No head of a line is longer.
    private static let head = 48

    var path: String
    var size: Int
    var appender: PlainFile.Appender?
    var isFull = false
    /// The numbers of the first and the last line, once they are known.
    private(set) var span: ClosedRange<Int64>?

    init(path: String, size: Int, appender: PlainFile.Appender? = nil) {
        self.path = path
        self.size = size
        self.appender = appender
    }

    /// A line was written at the end.
    mutating func grew(by count: Int, _ number: Int64) {
        if let span { self.span = span.lowerBound...number } else if size == 0 { span = number...number }
        size += count
    }

    /// `nil` when there is no line in it.
    mutating func findSpan() -> ClosedRange<Int64>? {
        if let span { return span }
        var last: Int64?
        forEachLine(from: max(0, size - Self.longest)) { bytes, _ in
            last = KeptLine(bytes)?.number ?? last
            return true
        }
        guard let first = number(at: 0), let last, first <= last else { return nil }
        span = first...last
        return span
    }

    /// Calls with the bytes of each whole line without its LF, and where it begins, until that says `false`.
    func forEachLine(from offset: Int, _ body: (ArraySlice<UInt8>, Int) -> Bool) {
        var begin = offset
        var rest: [UInt8] = []
        while true {
            let read = PlainFile.read(path, from: begin + rest.count, count: Self.chunk) ?? []
            guard !read.isEmpty else { return }
            rest += read
            var start = 0
            while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
                guard body(rest[start..<end], begin + start) else { return }
                start = end + 1
            }
            begin += start
            rest.removeFirst(start)
        }
    }

    /// The first so many lines whose number is not less than this one.
    func lines(from number: Int64, most: Int) -> [KeptLine] {
        var lines: [KeptLine] = []
        forEachLine(from: place(before: number)) { bytes, _ in
            guard let line = KeptLine(bytes), line.number >= number else { return true }
            lines.append(line)
            return lines.count < most
        }
        return lines
    }

    /// The number of the line that begins there.
    func number(at offset: Int) -> Int64? {
        let bytes = PlainFile.read(path, from: offset, count: Self.head) ?? []
        return bytes.firstIndex(of: UInt8(ascii: " ")).flatMap { KeptLine.head(bytes[..<$0])?.number }
    }

    // MARK: - Private

    /// Where a line begins that has no line of this number or a greater one before it.
    private func place(before number: Int64) -> Int {
        var (low, high) = (0, size)
        while high - low > Self.chunk {
            let middle = low + (high - low) / 2
            let bytes = PlainFile.read(path, from: middle, count: Self.longest) ?? []
            guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")), let found = self.number(at: middle + end + 1),
                found < number
            else {
                high = middle
                continue
            }
            low = middle + end + 1
        }
        return low
    }
}
