/// Amounts of memory as people write them in files: `64K`, `256M`, `2G`, with or without `iB`, in powers of 1,024.
package enum ByteCountText {
    /// Reads a whole number with its unit; `nil` for anything else.
    package static func parse(_ text: String) -> Int64? {
        let digits = text.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard let count = Int64(String(decoding: digits, as: UTF8.self)) else { return nil }
        let shift: Int64
        switch String(text.dropFirst(digits.count)) {
        case "K", "KiB": shift = 10
        case "M", "MiB": shift = 20
        case "G", "GiB": shift = 30
        default: return nil
        }
        let (total, overflow) = count.multipliedReportingOverflow(by: 1 << shift)
        return overflow ? nil : total
    }
}
