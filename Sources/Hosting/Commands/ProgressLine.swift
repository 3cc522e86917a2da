import RPC
import Scheduling

/// A line of progress on descriptor 3: `{"fraction": 0.4, "title": "…"}`.
enum ProgressLine {
    /// What the line says; `nil` when it says nothing that can be used.
    static func read(_ line: [UInt8]) -> RunProgress? {
        let document = line.withUnsafeBytes { try? JSONDocument.parse($0) }
        guard let members = document?.root, let fraction = members["fraction"]?.number, fraction.isFinite else {
            return nil
        }
        return RunProgress(
            fraction: min(max(fraction, 0), 1), title: members["title"]?.string, subtitle: members["subtitle"]?.string)
    }
}
