extension String {
    /// The longest beginning that has so many bytes at most, whole characters of Unicode only.
    package func cut(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: limit)
        while end > startIndex, !isScalarBoundary(end) { end = utf8.index(before: end) }
        return String(self[..<end])
    }

    private func isScalarBoundary(_ index: Index) -> Bool {
        utf8[index] & 0xC0 != 0x80
    }
}
