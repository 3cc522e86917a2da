import Scheduling

/// The policies by name. A name that cannot be used has a sentence that says what can.
enum PolicyName {
    /// Why a name cannot be used, and what to do.
    struct Problem: Error, Hashable {
        var message: String
        var fix: String
    }

    static let available = policies.map(\.name)

    private static let policies: [Policy] = [.prompt, .apple(), .doze()]

    static func policy(_ name: String) throws(Problem) -> Policy {
        if let policy = policies.first(where: { $0.name == name }) { return policy }
        let nearest = NearestName.nearest(to: name, among: available)
        throw Problem(
            message: "There is no policy “\(name.prefix(64))”.",
            fix: nearest.map { "Did you mean \($0)?" } ?? "Use \(available.joined(separator: ", ")).")
    }
}
