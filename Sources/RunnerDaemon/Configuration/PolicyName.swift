import Scheduling

/// The policies by name. A name that cannot be used has a sentence that says what can.
enum PolicyName {
    /// Why a name cannot be used, and what to do.
    struct Problem: Error, Hashable {
        var message: String
        var fix: String
    }

    static let available = [Policy.prompt.name]
    /// Known from BackgroundTasks and from Android, and not there yet.
    private static let expected = ["apple", "doze"]

    static func policy(_ name: String) throws(Problem) -> Policy {
        if name == Policy.prompt.name { return .prompt }
        let printable = name.prefix(64)
        guard expected.contains(name) else {
            let nearest = NearestName.nearest(to: name, among: available)
            throw Problem(
                message: "There is no policy “\(printable)”.",
                fix: nearest.map { "Did you mean \($0)?" } ?? "Use prompt, the only one that is there.")
        }
        throw Problem(
            message: "The policy “\(name)” is not there yet.",
            fix: "Use prompt, the only one that is there; \"limits\": \"apple\" in the configuration file selects "
                + "Apple's limits on pending requests.")
    }
}
