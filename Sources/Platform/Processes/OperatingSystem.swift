/// Which operating system this is.
package enum OperatingSystem {
    /// What `/etc/os-release` says, such as `debian 12`; an upgrade changes it.
    package static let version: String = {
        let bytes =
            SmallFile.read("/etc/os-release", limit: 16_384) ?? SmallFile.read("/usr/lib/os-release", limit: 16_384)
        var fields: [String: String] = [:]
        for line in (bytes ?? []).split(separator: UInt8(ascii: "\n")) {
            let parts = line.split(separator: UInt8(ascii: "="), maxSplits: 1)
            guard parts.count == 2 else { continue }
            let value = String(decoding: parts[1], as: UTF8.self).filter { $0 != "\"" && $0 != "'" }
            fields[String(decoding: parts[0], as: UTF8.self)] = value
        }
        let words = [fields["ID"], fields["VERSION_ID"] ?? fields["BUILD_ID"]].compactMap(\.self)
        return words.isEmpty ? "linux" : words.joined(separator: " ")
    }()
}
